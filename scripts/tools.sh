# shellcheck shell=sh
# What the tests need besides Python: Chromium, tmux and PostgreSQL. Sourced by ./test; uses `say` and `fail` of bootstrap.sh.
# It is installed where that is allowed (apt, as root); what cannot be had is said loudly, and fails under CI=true.

# first COMMAND …: prints the first of them that is there.
first() {
    for name; do
        command -v "$name" && return
    done
    return 1
}

# get PACKAGE: installs it, where this is Debian or alike and we may.
get() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "installing $1 for the tests (apt, once)"
    soon='-o Acquire::http::Timeout=20 -o Acquire::Retries=1' # where there is no network, it is not waited for
    {
        # shellcheck disable=SC2086 # several words
        apt-get $soon update -q &&
            DEBIAN_FRONTEND=noninteractive apt-get $soon install -q -y --no-install-recommends "$1"
    } >&2
}

# need PACKAGE COMMAND …: prints the path of the command, which is installed if need be.
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
}
