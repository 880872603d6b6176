#!/usr/bin/env bash
# Every test of the project. Prints each suite's own counts as it ends, and at the end how many tests passed and failed in all.
# Exits non-zero if any failed.
#
#   envs/test.sh          all tests
#   envs/test.sh fast     unit tests of Python, Java and R: builds no image, starts no Snakemake, no browser and no measuring container
#
# No test measures speed, so suites run in two lanes side by side; those of a lane run one after the other. No container of this
# checkout may run beside Snakemake in this checkout, which ends what it takes for left behind.
set -uo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"
export PYTHONPATH="$PWD/bench"

logs=data/logs/tests
rm -rf $logs
mkdir -p $logs

# Runs a suite: its output goes to a log, and to the terminal where it failed; then counts what `count` finds in it.
suite() { # name count command...
  local name=$1 count=$2 log=$logs/$1.log begin=$SECONDS status=0 p f
  shift 2
  "$@" >"$log" 2>&1 || status=$?
  read -r p f < <($count "$log" "$status")
  [ "$status" -ne 0 ] && [ "$f" -eq 0 ] && f=1
  echo "$p $f" >"$logs/$name.count"
  { # One suite at a time speaks.
    flock 9
    [ "$f" -ne 0 ] && tail -n 60 "$log"
    printf '%-22s %4d passed  %3d failed  %4d s\n' "$name" "$p" "$f" $((SECONDS - begin))
  } 9>$logs/.speaking
}

count_check() { [ "$2" -eq 0 ] && echo 1 0 || echo 0 1; }

count_pytest() {
  local line
  line=$(grep -E '^[0-9]+ (passed|failed|error)|, [0-9]+ (passed|failed)|no tests ran' "$1" | tail -n 1)
  echo "$(grep -oE '[0-9]+ passed' <<<"$line" | cut -d' ' -f1 || true)" \
    "$(grep -oE '[0-9]+ (failed|error)' <<<"$line" | awk '{n += $1} END {print n + 0}')" | awk '{print (NF == 2 ? $1 : 0), $NF}'
}

count_testthat() { awk '/^testthat: / {p = $2; f = $4} END {print p + 0, f + 0}' "$1"; }

# Surefire's last "Tests run" line is the sum over classes; `--quiet` hides it, so Maven runs in batch mode.
count_maven() {
  awk '/Tests run:.*Failures:.*Errors:/ && !/Time elapsed/ {
         for (i = 1; i <= NF; i++) { if ($i == "run:") r = $(i + 1); if ($i == "Failures:") f = $(i + 1); if ($i == "Errors:") e = $(i + 1) }
       } END { gsub(",", "", r); gsub(",", "", f); gsub(",", "", e); print r - f - e, f + e }' "$1"
}

in_r() { python -m jcarerun images analyse -- "$@"; }

snakemake_lint() { python envs/lint_snakefile.py; }

build() { snakemake --cores all --quiet all -- "$@"; }

# What tests run in or with is built here once, and not in each of their scratch checkouts.
images=(envs/build/{analysis,toolchain-debian-13-native,debian-13-native-temurin-21,debian-12-temurin-17,debian-13-temurin-21,debian-sid-openjdk-8,wine-temurin-{11,17,21,25}})
providers_and_programs=(bench/target/{providers.sha256,native/debian-13-native/built.json})

without_images() {
  suite ruff-format count_check ruff format --check conftest.py bench data envs profiles report
  suite ruff count_check ruff check conftest.py bench data envs profiles report
  suite snakefmt count_check snakefmt --check Snakefile bench envs analysis report/report.smk
  suite snakemake-lint count_check snakemake_lint
  suite maven count_maven python -m jcarerun images maven -- --batch-mode --file bench/jmh/pom.xml verify
  suite pytest-fast count_pytest pytest --durations=30 -m "not containers and not sample" --numprocesses 2
}

# Starts a lane beside the others, in a process group of its own, so that it can be ended with all that it started.
lanes=()
beside() {
  set -m
  "$@" </dev/null &
  lanes+=("$!")
  set +m
}
# A lane that did not come to its end is a failure: suites of it are not counted.
lanes_done() {
  local lane
  for lane in "${lanes[@]}"; do
    wait "$lane" || { echo "a lane of suites was ended from outside" && echo 0 1 >"$logs/lane-$lane.count"; }
  done
  lanes=()
}
trap 'for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null; done; exit 130' INT TERM

# The last line: how many tests passed and failed in all suites.
sum() {
  read -r passed failed < <(cat $logs/*.count | awk '{p += $1; f += $2} END {print p + 0, f + 0}')
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

fast_java() { suite maven count_maven python -m jcarerun images maven -- --batch-mode --file bench/jmh/pom.xml test; }

# R is in the analysis image, or on this machine.
fast_r() {
  if [ -f envs/build/analysis/environment.json ] && docker info >/dev/null 2>&1; then
    suite testthat count_testthat in_r Rscript analysis/tests/run.R
  elif command -v Rscript >/dev/null && Rscript -e 'library(testthat); library(data.table); library(pkgload)' >/dev/null 2>&1; then
    suite testthat count_testthat Rscript analysis/tests/run.R
  else
    echo "testthat               skipped: the R image is not built; build it once by: jca-rerun images ready"
  fi
}

if [ "${1:-}" = fast ]; then
  beside fast_java
  beside fast_r
  suite ruff count_check ruff check conftest.py bench data envs profiles report
  suite pytest-unit count_pytest pytest -m "not containers and not sample and not slow" --numprocesses 2
  lanes_done
  sum
  exit
fi

beside without_images
suite images count_check build "${images[@]/%//environment.json}" "${providers_and_programs[@]}"
# Tests of the explorer look at it in a browser; without one they fail, and say so.
envs/setup.sh docker browser >$logs/browser.log 2>&1 || echo "a browser can't be installed: $logs/browser.log"
# One of the tests measures on every engine; it is skipped where podman can't be had.
command -v podman >/dev/null || envs/setup.sh podman >$logs/podman.log 2>&1 || echo "podman can't be installed: $logs/podman.log"
suite testthat count_testthat in_r Rscript analysis/tests/run.R
suite lintr count_check in_r Rscript analysis/tests/lint.R
lanes_done

suite jar count_check build bench/target/benchmarks.jar

beside suite pytest-sample count_pytest pytest --durations=20 -m sample
# In the order of their names: xdist would keep the files of one long test for the end, where the other process has none.
suite pytest-containers count_pytest pytest --durations=40 -m "containers and not alone" --numprocesses 2 --dist loadfile \
  --no-loadscope-reorder
lanes_done
suite pytest-alone count_pytest pytest -m alone

echo
# Of the tests' own process: the rounds, servers, forks and scripts that they start aren't counted. Nothing where a suite failed.
{
  awk -F, 'NR > 1 {missed += $8; covered += $9}
    END {if (NR > 1) printf "coverage of Java by maven: %.0f%% of lines\n", 100 * covered / (missed + covered)}' \
    bench/target/site/jacoco/jacoco.csv
} 2>/dev/null
sum
