// Timing as JMH times: average time in iterations of a given length, or single shots.
#pragma once

#include "options.h"

namespace jcarerun {

// Times the work as the options say; appends a row for every iteration to --rows, writes JMH's JSON to --json.
void time_work(const Options& options, const Request& request, Work& work);
// The line of column names that `--rows` follows.
extern const char* const ROWS_HEADER;

}  // namespace jcarerun
