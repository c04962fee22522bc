# shellcheck shell=sh
# Makes .venv from a hashed lock file. ./facedown and ./test set $root, source this file and call `ready`.
# A stamp, written last, distinguishes a finished set-up from one that is missing, outdated, moved or interrupted.

: "${root:?must be set before this file is sourced}"
venv=$root/.venv

unset PYTHONDONTWRITEBYTECODE # without bytecode files every start takes twice as long

say() {
    printf 'facedown: %s\n' "$*" >&2
}

fail() {
    say "$*"
    exit 1
}

# ready LOCK [LARGER]: returns when .venv holds what LOCK names. A set-up from LARGER, which includes LOCK, will do.
ready() {
    if ! is_ready "$@"; then
        (set_up "$@") 9<"$root" >&2
    fi
}

is_ready() {
    [ -x "$venv/bin/python" ] || return 1
    for lock; do
        [ -f "$venv/$lock.stamp" ] && [ "$(stamp "$lock")" = "$(cat "$venv/$lock.stamp")" ] && return
    done
    return 1
}

# What a set-up depends on: these files with their absolute names, and the version of Python (in pyvenv.cfg).
stamp() {
    cksum "$root/$1" "$root/pyproject.toml" "$root/lab/pyproject.toml" "$root/scripts/bootstrap.sh" "$venv/pyvenv.cfg"
}

# Whether a set-up was finished here with the Python that is still here, so that .venv can be updated.
intact() {
    [ -x "$venv/bin/python" ] && cat "$venv"/*.stamp 2>/dev/null | grep -qxF "$(cksum "$venv/pyvenv.cfg")"
}

set_up() {
    python=$(find_python) ||
        fail "Python 3.11 or newer is needed, and neither python3 nor python is one: install it and start again."
    lock_out_others
    if is_ready "$@"; then return; fi # another start did it while this one waited

    say "setting up in $venv (once; later starts are instant)"
    [ -w "${HOME:-}" ] || export UV_CACHE_DIR="$root/.uv/cache"
    trust_system
    uv=$(find_uv) || uv=$(get_uv) || exit 1
    if ! intact; then
        rm -rf "$venv"
        "$uv" venv --quiet --python "$python" "$venv" || fail "could not make $venv."
    fi
    rm -f "$venv"/*.stamp
    fetch "could not install what $1 names" \
        "$uv" pip install --quiet --python "$venv/bin/python" --require-hashes -r "$root/$1"
    fetch "could not install the project itself" "$uv" pip install --quiet --python "$venv/bin/python" \
        --no-deps --no-build-isolation --editable "$root"
    [ "$1" != requirements-test.lock ] || # only those who develop need the laboratory, and only their lock has its libraries
        fetch "could not install the laboratory" "$uv" pip install --quiet --python "$venv/bin/python" \
            --no-deps --no-build-isolation --editable "$root/lab"
    stamp "$1" >"$venv/stamp.new"
    mv "$venv/stamp.new" "$venv/$1.stamp"
}

# find_python [MODULE]: prints the real path of a Python that is new enough and has the module: the first on PATH that
# was built with optimisations, or else the first.
find_python() {
    first=
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        IFS=:
        for folder in $PATH; do
            unset IFS
            [ -x "$folder/$name" ] || continue
            found=$("$folder/$name" -I "$root/scripts/which_python.py" "$@" 2>/dev/null) || continue
            case $found in
            "optimised "*) printf '%s\n' "${found#* }" && return ;;
            "plain "*) first=${first:-${found#* }} ;;
            esac
        done
        unset IFS
    done
    [ -n "$first" ] && printf '%s\n' "$first"
}

# One set-up at a time: descriptor 9 holds the lock, which ends with this set-up, however that ends.
lock_out_others() {
    "$python" -I -c '
import fcntl, sys
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("facedown: waiting for the set-up that another start is making", file=sys.stderr)
    fcntl.flock(9, fcntl.LOCK_EX)' 9<&9
}

find_uv() {
    for uv in uv "$root/.uv/bin/uv"; do
        "$uv" --version >/dev/null 2>&1 && echo "$uv" && return
    done
    return 1
}

# uv has a folder of its own, so that .venv can be made again in a second.
get_uv() {
    rm -rf "$root/.uv"
    maker=$(find_python ensurepip) || maker=$python
    "$maker" -I -c 'import ensurepip' 2>/dev/null ||
        fail "$maker has no pip with it: install that part of it" \
            "(on Debian and Ubuntu: apt install python3-venv), or uv, and start again."
    PIP_USER=0 fetch "could not get uv from PyPI" "$maker" -I "$root/scripts/run_pip.py" install --quiet \
        --disable-pip-version-check --target "$root/.uv" --require-hashes -r "$root/scripts/uv.lock" >&2
    echo "$root/.uv/bin/uv"
}

# Trust the system's certificates, which may include those of a company's proxy. uv and pip bring their own list, which
# they use if the system has none.
trust_system() {
    bundle=$(system_certificates) || return 0
    : "${UV_SYSTEM_CERTS=true}" "${UV_NATIVE_TLS=true}" "${PIP_CERT=$bundle}"
    export UV_SYSTEM_CERTS UV_NATIVE_TLS PIP_CERT # the second is what older versions of uv call the first
}

# Prints the file with the certificates that this system trusts.
system_certificates() {
    for bundle in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt \
        /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
        [ -s "$bundle" ] && echo "$bundle" && return
    done
    return 1
}

# fetch WHAT COMMAND …: runs it; if it fails, prints its output and what that means.
fetch() {
    what=$1
    shift
    said=$("$@" 2>&1) && return
    printf '%s\n' "$said" >&2
    fail "$what: $(meaning "$said")"
}

meaning() {
    case $1 in
    *ertificate* | *CERTIFICATE* | *UnknownIssuer*)
        echo "the index answers with a certificate that this system does not trust, as behind a company's proxy;" \
            "add that proxy's certificate to the system, or name its file: SSL_CERT_FILE=/path/to/ca.pem"
        ;;
    *"No space left"*) echo "the disk is full." ;;
    *"ermission denied"*) echo "something may not be written (above)." ;;
    *"dns error"* | *resol* | *unreachable* | *refused* | *"timed out"* | *"error sending request"* | *"onnection error"*)
        echo "the index cannot be reached; is the network there? Behind a proxy, HTTPS_PROXY names it."
        ;;
    *) echo "see the reason above." ;;
    esac
}
