#!/usr/bin/env bash
# Sets up what the pipeline needs and is missing: Debian packages (as root on a Debian-like system), the locked Python environment, a
# running container engine. Does nothing, quickly, where all is there. Without root it prints one line for an administrator, and stops.
#
#   envs/setup.sh [docker|podman|apptainer|host|none] [browser]     with a browser too, which tests of the report need
#   envs/setup.sh [docker|podman|apptainer|host|none] ask           only says what is lacking, and changes nothing
#
# none: no engine and no R, which unit tests do without.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin # where daemons lie, which an ordinary user's path may lack
export PYTHONPATH=bench

engine=${1:-docker}
also=${2:-}
case $engine in
docker | podman | apptainer | host | none) ;;
*)
  echo "error: ENGINE=$engine: unknown engine; choose docker, podman, apptainer or host" >&2
  exit 2
  ;;
esac

# Prints `package` unless `test` succeeds: what is missing, and nothing else.
need() { # package test...
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

# shellcheck source=envs/administrator.sh
. envs/administrator.sh

r_has() { Rscript -e 'for (p in commandArgs(TRUE)) library(p, character.only = TRUE)' "$@"; }

find_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome-stable || command -v google-chrome; }

# From Debian 13 on the client is a package of its own.
docker_client() { apt-cache show docker-cli >/dev/null 2>&1 && echo docker-cli || echo docker.io; }

find_missing() {
  missing=()
  need python3-venv python3 -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))'
  need default-jdk-headless command -v javac
  need maven command -v mvn
  need git command -v git
  need openssh-client command -v ssh-keygen # which signs and checks signatures
  if [ "$also" = browser ]; then
    need chromium find_browser
    need poppler-utils command -v pdftotext
  fi
  case $engine in
  docker)
    need docker.io command -v dockerd
    need "$(docker_client)" command -v docker
    need mmdebstrap command -v mmdebstrap
    [ "$(id -u)" -eq 0 ] || need uidmap command -v newuidmap
    ;;
  podman)
    need podman command -v podman
    # crun, which podman would bring, refuses version 1 of the control groups.
    [ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ] || need runc command -v runc
    need mmdebstrap command -v mmdebstrap
    ;;
  apptainer)
    need apptainer command -v apptainer
    need mmdebstrap command -v mmdebstrap
    [ "$(id -u)" -eq 0 ] || need uidmap command -v newuidmap
    ;;
  host)
    need r-base-core command -v Rscript
    for package in data.table ggplot2 jsonlite patchwork svglite R.utils; do
      need "r-cran-${package,,}" r_has "$package"
    done
    ;;
  esac
}

# A docker daemon elsewhere (DOCKER_HOST) or one that answers already needs no package of ours.
engine_answers() {
  case $engine in
  docker) command -v docker >/dev/null && docker info >/dev/null 2>&1 ;;
  podman) command -v podman >/dev/null && podman info >/dev/null 2>&1 ;;
  apptainer) command -v apptainer >/dev/null ;;
  host | none) true ;;
  esac
}

# What nothing but a package or an administrator gives: ends where this user can't get it.
look() {
  find_missing
  if engine_answers; then
    local kept=()
    for package in "${missing[@]}"; do
      case $package in docker.io | docker-cli | podman | runc) ;; *) kept+=("$package") ;; esac
    done
    missing=("${kept[@]}")
  fi
  if [ ${#missing[@]} -gt 0 ] && ! command -v apt-get >/dev/null; then
    echo "error: missing on this machine: ${missing[*]} (Debian's package names); install what your system calls them, then run this" \
      "again$([ "$engine" = host ] || echo ", or go on without containers: ENGINE=host make report")" >&2
    exit 1
  fi
  [ "$(id -u)" -eq 0 ] || ask_administrator
}

install_missing() {
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing: ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  local log=data/logs/apt.log
  mkdir -p data/logs
  { apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "error: apt-get failed; see $log" >&2
    exit 1
  }
}

# Starts a daemon that outlives this script. The pid file of a daemon that was killed would keep it from starting.
launch_dockerd() {
  local pidfile=/var/run/docker.pid owner
  if [ -f "$pidfile" ]; then
    owner=$(ps -o stat=,comm= -p "$(cat "$pidfile")" 2>/dev/null || true)
    case $owner in Z* | "") rm -f "$pidfile" ;; *dockerd*) ;; *) rm -f "$pidfile" ;; esac
  fi
  mkdir -p data/logs
  setsid dockerd >>data/logs/dockerd.log 2>&1 </dev/null &
  daemon=$!
}

start_engine() {
  engine_answers && return
  [ "$engine" = docker ] || {
    echo "error: $engine is installed but does not answer: $($engine info 2>&1 | tail -n 1)" >&2
    exit 1
  }
  echo "starting the Docker daemon" >&2
  if [ -d /run/systemd/system ]; then
    systemctl start docker
  else
    launch_dockerd
  fi
  for _ in $(seq 60); do
    engine_answers && return
    sleep 0.5
    # A daemon that was killed a moment ago can still be in the way of a new one: try again.
    [ -d /run/systemd/system ] || kill -0 "$daemon" 2>/dev/null || launch_dockerd
  done
  echo "error: the Docker daemon does not answer after 30 s; see data/logs/dockerd.log or journalctl -u docker" >&2
  exit 1
}

install_uv() {
  envs/cache/uv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: --force-reinstall \
    "$@" -r envs/uv.txt
}

# Certificates are those of the system's store, where a company's own authority stands (bench/jcarerun/support/trust.py).
# Where Slurm's commands are, Snakemake's executor for it is among the packages (profiles/slurm).
# Packages are compiled here, since Python may not write bytecode later (PYTHONDONTWRITEBYTECODE), and every job would compile them anew.
python_environment() {
  local stamp=.venv/.locked wanted groups=() uv=envs/cache/uv wheels=envs/cache/uv-wheel
  ! command -v sbatch >/dev/null || groups=(--group cluster)
  wanted=$({ sha256sum pyproject.toml uv.lock envs/uv.txt && echo -n "${groups[*]}"; } | sha256sum)
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return
  echo "making the Python environment" >&2
  [ -x $uv/bin/python ] || python3 -m venv $uv
  # From the kept wheel each time, so that its hash is checked before it is used.
  install_uv --no-index --find-links $wheels 2>/dev/null || {
    rm -rf $wheels
    PIP_CERT=${PIP_CERT:-$($uv/bin/python -m jcarerun.support.trust)} $uv/bin/python -m pip download --quiet --disable-pip-version-check \
      --require-hashes --only-binary=:all: --dest $wheels -r envs/uv.txt
    install_uv --no-index --find-links $wheels
  }
  UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true} UV_PYTHON_DOWNLOADS=never UV_PYTHON="$(command -v python3)" UV_PROJECT_ENVIRONMENT=.venv $uv/bin/uv sync --frozen --quiet --compile-bytecode "${groups[@]}"
  echo "$wanted" >"$stamp"
}

look
[ "$also" != ask ] || exit 0
install_missing
python_environment
start_engine
