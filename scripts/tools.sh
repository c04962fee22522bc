# shellcheck shell=sh
# What the tests need besides Python: Chromium, tmux, PostgreSQL, HAProxy and promtool. Sourced by ./test; uses `say` and `fail` of bootstrap.sh.
# Installs them if that is allowed (apt, as root). What cannot be installed is reported loudly, and fails under CI=true.

# first COMMAND …: prints the first that exists.
first() {
    for name; do
        command -v "$name" && return
    done
    return 1
}

# get PACKAGE: installs it, if this system has apt and we are root.
get() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "installing $1 for the tests (apt, once)"
    soon='-o Acquire::http::Timeout=20 -o Acquire::Retries=1' # do not wait for a network that is not there
    {
        # shellcheck disable=SC2086 # several words
        apt-get $soon update -q &&
            DEBIAN_FRONTEND=noninteractive apt-get $soon install -q -y --no-install-recommends "$1"
    } >&2
}

# need PACKAGE COMMAND …: prints the path of the command, and installs it if necessary.
need() {
    package=$1
    shift
    first "$@" && return
    if get "$package" && first "$@"; then return; fi
    if [ "${CI:-}" = true ]; then fail "the tests need $package, and it could not be installed."; fi
    say "*** NO $package: ITS TESTS ARE SKIPPED. Install it (apt install $package) and run again. ***"
}

# need_chromium: prints the path of a Chromium; the one without windows of its own takes half the time.
need_chromium() {
    first chromium-headless-shell && return
    if get chromium-headless-shell && first chromium-headless-shell; then return; fi
    need chromium chromium chromium-browser google-chrome
}

# need_postgresql: its programs are not in the path, and need no server that runs.
need_postgresql() {
    set -- /usr/lib/postgresql/*/bin/initdb
    [ -x "$1" ] || need postgresql initdb /usr/lib/postgresql/*/bin/initdb >/dev/null
}

ready_tools() {
    need_postgresql
    FACEDOWN_CHROMIUM=$(need_chromium)
    export FACEDOWN_CHROMIUM
    need tmux tmux >/dev/null
    need prometheus promtool >/dev/null
    need haproxy haproxy /usr/sbin/haproxy >/dev/null
}
