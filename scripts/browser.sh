# shellcheck shell=sh
# Finds Chromium for the browser tests and installs it where that is allowed. Sourced by ./test.
# What it cannot get, it says loudly; under CI=true that is a failure.

find_browser() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" && return
    done
    return 1
}

install_browser() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say 'installing Chromium for the browser tests (apt, once)'
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium; } >&2
}

# Sets FACEDOWN_CHROMIUM where there is a browser.
ready_browser() {
    if FACEDOWN_CHROMIUM=$(find_browser || { install_browser && find_browser; }); then
        export FACEDOWN_CHROMIUM
        return
    fi
    unset FACEDOWN_CHROMIUM
    if [ "${CI:-}" = true ]; then fail 'no Chromium for the browser tests, and none could be installed.'; fi
    say '*** NO CHROMIUM: ALL BROWSER TESTS ARE SKIPPED. Install it (apt install chromium) and run again. ***'
}
