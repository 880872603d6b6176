#include "program.h"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

namespace jcarerun {

namespace {

std::int64_t clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{1000000000} * now.tv_sec + now.tv_nsec;
}

std::int64_t ns(const timeval& time) { return std::int64_t{1000000000} * time.tv_sec + std::int64_t{1000} * time.tv_usec; }

const std::int64_t PROCESS_START_NS = clock_ns(CLOCK_MONOTONIC);

struct Usage {
  std::int64_t cpu_ns, user_ns, system_ns;
  long involuntary;
};

Usage usage() {
  rusage process{}, thread{};
  getrusage(RUSAGE_SELF, &process);
  getrusage(RUSAGE_THREAD, &thread);
  return {clock_ns(CLOCK_THREAD_CPUTIME_ID), ns(process.ru_utime), ns(process.ru_stime), thread.ru_nivcsw};
}

// Counts operations until the time is over, as JMH does: the operation that is under way is finished and counted. Goes on until
// there are `least` of them.
std::int64_t run_for(Work& work, std::int64_t milliseconds, std::int64_t least, std::int64_t& start, std::int64_t& end) {
  std::atomic<bool> over{false};
  std::thread timer([&over, milliseconds] {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    over.store(true, std::memory_order_relaxed);
  });
  std::int64_t operations = 0;
  start = clock_ns(CLOCK_MONOTONIC);
  do {
    work.run();
    operations++;
  } while (operations < least || !over.load(std::memory_order_relaxed));
  end = clock_ns(CLOCK_MONOTONIC);
  timer.join();
  return operations;
}

// A row of iterations.csv (data/README.md); a program has no time of collectors or compilers.
std::string row(long fork, long iteration, std::int64_t epoch_ms, std::int64_t start, std::int64_t end, std::int64_t operations,
                const Usage& before, const Usage& after) {
  char made[400];
  std::snprintf(made, sizeof made, "%ld,%ld,%lld,%.3f,%.3f,%lld,%lld,%lld,%lld,%lld,%lld,%ld,0,0\n", fork, iteration,
                static_cast<long long>(epoch_ms), static_cast<double>(start - PROCESS_START_NS) / 1e6,
                static_cast<double>(end - PROCESS_START_NS) / 1e6, static_cast<long long>(end - start),
                static_cast<long long>(operations), static_cast<long long>(operations),
                static_cast<long long>(after.cpu_ns - before.cpu_ns), static_cast<long long>(after.user_ns - before.user_ns),
                static_cast<long long>(after.system_ns - before.system_ns), after.involuntary - before.involuntary);
  return made;
}

std::string number(double value) {
  char made[40];
  std::snprintf(made, sizeof made, "%.10g", value);
  return made;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

std::string parameters(const Options& options, const Request& request) {
  std::map<std::string, std::string> found = {{"algorithm", request.algorithm}, {"init", request.init_inside ? "inside" : "outside"}};
  if (request.bits > 0) found["bits"] = std::to_string(request.bits);
  if (!request.mode.empty()) found["mode"] = request.mode;
  if (!request.padding.empty()) found["padding"] = request.padding;
  if (!request.text.empty()) found["bytes"] = std::to_string(request.text.size());
  if (!request.text.empty()) found["content"] = options.text("content", "fixed");
  found["provider"] = library_name();
  std::string made;
  for (const auto& [name, value] : found) made += (made.empty() ? "" : ", ") + quoted(name) + ": " + quoted(value);
  return made;
}

// JMH's result of one fork. What JMH derives from the scores beyond their mean is "NaN", JMH's own word for unknown.
std::string jmh(const Options& options, const Request& request, bool shots, const std::vector<double>& scores) {
  double sum = 0;
  std::string raw;
  for (const double score : scores) {
    sum += score;
    raw += (raw.empty() ? "" : ", ") + number(score);
  }
  const std::string time = shots ? "single-shot" : std::to_string(options.number("iteration-ms", 100)) + " ms";
  return "[{\"jmhVersion\": \"none\", \"benchmark\": " + quoted(options.text("benchmark", "jcarerun.native." + request.operation)) + ", \"mode\": " +
         quoted(shots ? "ss" : "avgt") + ", \"threads\": 1, \"forks\": 1, \"jvm\": \"\", \"jvmArgs\": [], \"library\": " +
         quoted(library_name() + " " + library_version()) + ", \"cpuFeatures\": " + quoted(library_cpu_features()) +
         ", \"warmupIterations\": 0, \"warmupTime\": \"none\", \"warmupBatchSize\": 1, \"measurementIterations\": " +
         std::to_string(scores.size()) + ", \"measurementTime\": " + quoted(time) + ", \"measurementBatchSize\": 1,\n \"params\": {" +
         parameters(options, request) + "},\n \"primaryMetric\": {\"score\": " +
         number(sum / static_cast<double>(scores.size())) +
         ", \"scoreError\": \"NaN\", \"scoreConfidence\": [\"NaN\", \"NaN\"], \"scorePercentiles\": {\"0.0\": " +
         number(*std::min_element(scores.begin(), scores.end())) + ", \"100.0\": " +
         number(*std::max_element(scores.begin(), scores.end())) + "}, \"scoreUnit\": \"ns/op\", \"rawData\": [[" + raw +
         "]]},\n \"secondaryMetrics\": {}}]\n";
}

}  // namespace

void time_work(const Options& options, const Request& request, Work& work) {
  const std::string mode = options.text("bench-mode", "avgt");
  if (mode != "avgt" && mode != "ss") throw UserError("--bench-mode " + mode + ": choose avgt or ss");
  const bool shots = mode == "ss";
  const long iterations = options.number("iterations", 5), milliseconds = options.number("iteration-ms", 100);
  const long fork = options.number("fork", 1), least = options.number("least-times", 1);
  const std::string rows = options.text("rows", ""), json = options.text("json", "");
  std::vector<double> scores;
  for (long n = 1; n <= iterations; n++) {
    std::int64_t start = 0, end = 0, operations = 1;
    const std::int64_t epoch_ms = clock_ns(CLOCK_REALTIME) / 1000000;
    const Usage before = usage();
    if (shots) {
      start = clock_ns(CLOCK_MONOTONIC);
      work.run();
      end = clock_ns(CLOCK_MONOTONIC);
    } else {
      operations = run_for(work, milliseconds, least, start, end);
    }
    const std::string line = row(fork, n, epoch_ms, start, end, operations, before, usage());
    scores.push_back(static_cast<double>(end - start) / static_cast<double>(operations));
    if (rows.empty()) {
      std::printf("iteration %ld: %s ns/op\n", n, number(scores.back()).c_str());
      std::fflush(stdout);
    } else {
      std::ofstream file(rows, std::ios::app | std::ios::binary);
      if (!(file << line).flush()) throw UserError("--rows " + rows + ": can't be appended to");
    }
  }
  if (json.empty()) return;
  std::ofstream file(json, std::ios::binary);
  if (!(file << jmh(options, request, shots, scores)).flush()) throw UserError("--json " + json + ": can't be written");
}

}  // namespace jcarerun
