// One operation of one library: checked, then timed, printed or kept. README.md beside it says how to call it.
#include <cstdio>

#include "program.h"

namespace {

using namespace jcarerun;

// Exit statuses, beside 0.
enum { WRONG = 1, MISUSED = 2, NOT_OFFERED = 3 };

void act(const Options& options) {
  if (options.has("version")) {
    std::printf("%s %s\n", library_name().c_str(), library_version().c_str());
    return;
  }
  if (options.has("cpu-features")) {
    std::printf("%s\n", library_cpu_features().c_str());
    return;
  }
  const Request request = with_input(request_of(options));
  const auto work = make_work(request);
  if (options.has("digest") || options.has("output")) {
    work->run();
    const Bytes result = work->result();
    if (options.has("output")) write_file(options.text("output", ""), result);
    if (options.has("digest")) std::printf("%s\n", to_hex(digest("SHA-256", result)).c_str());
    return;
  }
  check(request, *work);
  if (options.has("check")) {
    std::printf("right: %s %s\n", request.operation.c_str(), request.algorithm.c_str());
    return;
  }
  time_work(options, request, *work);
}

int fail(int status, const char* kind, const char* words) {
  std::fprintf(stderr, "%s%s\n", kind, words);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    library_start();
    act(parse(argc, argv));
    return 0;
  } catch (const UserError& error) {
    return fail(MISUSED, "error: ", error.what());
  } catch (const NotOffered& error) {
    return fail(NOT_OFFERED, "not offered: ", error.what());
  } catch (const CheckFailed& error) {
    return fail(WRONG, "error: ", error.what());
  } catch (const std::exception& error) {
    return fail(WRONG, "error: the library failed: ", error.what());
  }
}
