#!/bin/sh
# Makes a release that could be uploaded: sdist and wheel in dist/, built twice with the same bytes, checked, and tried in
# a clean environment on every Python from 3.11 up that is here.
# scripts/release.sh VERSION   writes the version and the changelog's section first
# scripts/release.sh --check   does all the rest with the version as it is, and changes no file of the checkout
# What it builds is what git has: commit first. Uploading, and the tag, are left to a person.
set -eu
root=$(readlink -f "$0")
root=${root%/scripts/*}
. "$root/scripts/bootstrap.sh"
cd "$root"
ready requirements-test.lock
uv=$(find_uv) || uv=$(get_uv) || exit 1
python=$venv/bin/python

[ $# = 1 ] || fail "which version? scripts/release.sh VERSION, or --check"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed."
if [ "$1" != --check ]; then
    "$python" scripts/package.py number "$1"
    git commit --quiet --all --message "Version $1"
fi
version=$("$python" -c 'import facedown; print(facedown.__version__)')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# build FOLDER: what git has, as an sdist, and a wheel from that sdist, which shows that the sdist is whole.
build() {
    mkdir -p "$1/tree" "$1/unpacked" "$1/dist"
    git archive HEAD | tar -x -C "$1/tree"
    (cd "$1/tree" && "$python" -m hatchling build -t sdist -d "$1/dist" >&2) || fail "the sdist is not built."
    tar -xzf "$1/dist/facedown-$version.tar.gz" -C "$1/unpacked"
    (cd "$1/unpacked/facedown-$version" && "$python" -m hatchling build -t wheel -d "$1/dist" >&2) ||
        fail "the wheel is not built."
}

say "building $version, twice"
build "$work/first"
build "$work/the second, elsewhere"
for file in "$work/first/dist"/*; do
    cmp "$file" "$work/the second, elsewhere/dist/${file##*/}" || fail "two builds of ${file##*/} differ."
done

wheel=$work/first/dist/facedown-$version-py3-none-any.whl
sdist=$work/first/dist/facedown-$version.tar.gz
say "checking metadata and content"
"$python" scripts/package.py check "$wheel" "$sdist" || fail "the package is not fit for an index (above)."
"$uv" tool run --quiet twine check --strict "$wheel" "$sdist" ||
    fail "twine would not upload this, or could not be fetched."
if [ -z "$(sed -n 's/^home = "\(.*\)"$/\1/p' pyproject.toml)" ]; then
    say "note: [tool.facedown] home in pyproject.toml is empty: the package goes without project URLs, pictures and links."
fi

# pythons: every Python from 3.11 up that is here, one for each minor version; those of pyenv as well.
pythons() {
    for minor in 11 12 13 14 15 16; do
        "$uv" python find --no-python-downloads "3.$minor" 2>/dev/null ||
            first_that_runs "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.$minor.*/bin/python
    done
}

first_that_runs() {
    for each; do
        "$each" --version >/dev/null 2>&1 && echo "$each" && return
    done
    return 0
}

pythons | while read -r each; do
    for extra in "" "[play]"; do
        say "installing ${extra:-without extras} on $("$each" --version)"
        rm -rf "$work/environment"
        "$uv" venv --quiet --python "$each" "$work/environment"
        "$uv" pip install --quiet --python "$work/environment/bin/python" "$wheel$extra"
        (cd "$work" && "$work/environment/bin/python" "$root/scripts/package.py" smoke) || exit 1
    done
done || fail "the package does not work on every Python (above)."

mkdir -p dist
cp "$wheel" "$sdist" dist/
"$python" scripts/package.py sbom >"dist/facedown-$version.cdx.json"
say "dist/ holds $version; to publish it:"
say "  git tag v$version && git push --tags && $uv tool run twine upload dist/facedown-$version*.whl dist/facedown-$version.tar.gz"
say "  and dist/facedown-$version.cdx.json, what it is made of, belongs beside it for those who audit it"
