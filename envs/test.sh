#!/usr/bin/env bash
# Every test of the project, cheapest first: formats and lints, pure functions, the sample to PDF, real containers.
# Prints each suite's own summary, and at the end how many tests passed and failed in all. Exits non-zero if any failed.
set -uo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"

logs=data/logs/tests
mkdir -p $logs
passed=0 failed=0

# Runs a suite: its output goes to a log, and to the terminal where it failed; then counts what `count` finds in it.
suite() { # name count command...
  local name=$1 count=$2 log=$logs/$1.log begin=$SECONDS status=0 p f
  shift 2
  "$@" >"$log" 2>&1 || status=$?
  read -r p f < <($count "$log" "$status")
  [ "$status" -ne 0 ] && [ "$f" -eq 0 ] && f=1
  [ "$f" -ne 0 ] && tail -n 60 "$log"
  passed=$((passed + p)) failed=$((failed + f))
  printf '%-22s %4d passed  %3d failed  %4d s\n' "$name" "$p" "$f" $((SECONDS - begin))
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

in_r() { python -m envs.builder analyse -- "$@"; }

# What the tests below run in; whatever else they need they build themselves.
images=(envs/build/{analysis,toolchain-debian-13-native,debian-13-native-temurin-21,debian-12-temurin-17,debian-13-temurin-21,debian-sid-openjdk-8,wine-temurin-{11,17,21,25}})

snakemake_lint() { python envs/lint_snakefile.py; }

suite ruff-format count_check ruff format --check bench envs report
suite ruff count_check ruff check bench envs report
suite snakefmt count_check snakefmt --check Snakefile bench envs analysis report/report.smk
suite snakemake-lint count_check snakemake_lint
suite pytest-fast count_pytest pytest -m "not containers and not sample"
suite maven count_maven mvn --batch-mode --no-transfer-progress --file bench/pom.xml verify
# Of the tests' own JVM: the rounds, servers and forks that they start aren't counted.
awk -F, 'NR > 1 {missed += $8; covered += $9} END {printf "%-22s %4.0f %% of lines\n", "java coverage", 100 * covered / (missed + covered)}' \
  bench/target/site/jacoco/jacoco.csv
suite images count_check snakemake --cores all --quiet all -- "${images[@]/%//environment.json}"
suite lintr count_check in_r Rscript analysis/tests/lint.R
suite testthat count_testthat in_r Rscript analysis/tests/run.R
suite pytest-sample count_pytest pytest -m sample
# One of the tests measures on every engine; it is skipped where podman can't be had.
command -v podman >/dev/null || envs/setup.sh podman >$logs/podman.log 2>&1 || echo "podman can't be installed: $logs/podman.log"
suite pytest-containers count_pytest pytest -m containers

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
