# What only root can do, gathered into one line to hand to whoever administers the machine. Sourced by setup.sh.
#
# In: `engine`, and `missing` packages. Nothing here changes anything.

me=$(id -un 2>/dev/null || id -u)

# A daemon elsewhere, or one of this user's own, is nobody's business here.
own_daemon() { [ -n "${DOCKER_HOST:-}" ] || [ "$(docker context show 2>/dev/null || echo default)" != default ]; }

in_session() { id -nG 2>/dev/null | tr ' ' '\n' | grep -qx docker; }

in_docker_group() { in_session || getent group docker 2>/dev/null | cut -d: -f4 | tr , '\n' | grep -qx "$me"; }

# Without root, root file systems are made in a user namespace of this user's own.
has_subordinate_ids() {
  { getsubids "$me" && getsubids -g "$me"; } >/dev/null 2>&1 || { grep -qs "^$me:" /etc/subuid && grep -qs "^$me:" /etc/subgid; }
}

forbids_namespaces() { [ "$(cat "/proc/sys/${1//.//}" 2>/dev/null)" = 0 ]; }

# Prints the commands, one a line; nothing where there is nothing to do.
root_work() {
  local free
  [ ${#missing[@]} -eq 0 ] || echo "apt-get update && apt-get install --yes --no-install-recommends ${missing[*]}"
  case $engine in host | none) return ;; esac
  if ! has_subordinate_ids; then
    # Beyond everybody's: two users' ids may not meet.
    free=$({ cat /etc/subuid /etc/subgid 2>/dev/null || true; } |
      awk -F: -v top=100000 '$2 + $3 > top { top = $2 + $3 } END { print top }' 2>/dev/null || echo 100000)
    echo "usermod --add-subuids $free-$((free + 65535)) --add-subgids $free-$((free + 65535)) $me"
  fi
  ! forbids_namespaces kernel.unprivileged_userns_clone || echo "sysctl --write kernel.unprivileged_userns_clone=1"
  ! forbids_namespaces user.max_user_namespaces || echo "sysctl --write user.max_user_namespaces=15000"
  if [ "$engine" = docker ] && ! own_daemon && ! engine_answers; then
    in_docker_group || echo "usermod --append --groups docker $me"
    # The package starts it.
    if command -v dockerd >/dev/null && ! pgrep -x dockerd >/dev/null 2>&1; then
      if [ -d /run/systemd/system ]; then echo "systemctl enable --now docker"; else echo "service docker start"; fi
    fi
  fi
}

# Ends, unless this user lacks nothing that root would have to give.
ask_administrator() {
  local work=() line again
  mapfile -t work < <(root_work)
  if [ ${#work[@]} -eq 0 ]; then
    [ "$engine" = docker ] && ! engine_answers || return 0
    # In the group, with a daemon that runs: since this session began.
    if own_daemon || in_session; then
      echo "error: no Docker daemon answers ($(docker info 2>&1 | tail -n 1)); see where it should (docker context show, DOCKER_HOST)," \
        "or run ENGINE=host make report" >&2
    else
      echo "error: Docker refuses $me, whose session is older than its place in the group docker: log in anew, then run this again" >&2
    fi
    exit 1
  fi
  line=$(printf ' && %s' "${work[@]}")
  again="then run this again$([ "$engine" = host ] || echo ", or go on without containers: ENGINE=host make report")"
  [[ $line != *usermod* ]] || again="log in anew, $again"
  echo "error: $me lacks what only root can give${missing[*]:+ (packages: ${missing[*]})}; hand the next line to an administrator, $again" >&2
  echo "sudo sh -c '${line# && }'" >&2
  exit 1
}
