#!/bin/sh
# Makes a release that could be uploaded, in dist/: sdist, wheel, list of contents, parts list (SBOM), notes, checksums.
# Builds on every declared Python that is here, in clean environments, and tries the wheel there, bare and with extras.
# scripts/release.sh VERSION   writes the version and the date of the changelog's section first
# scripts/release.sh --check   does all the rest with the version as it is, and changes no file of the checkout
# What it builds is what git has: commit first. Uploading, and the tag, are left to a person.
set -eu
root=$(readlink -f "$0")
root=${root%/scripts/*}
. "$root/scripts/bootstrap.sh"
cd "$root"
ready requirements-test.lock
trust_system
uv=$(find_uv) || uv=$(get_uv) || exit 1
python=$venv/bin/python

[ $# = 1 ] || fail "which version? scripts/release.sh VERSION, or --check"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed."
if [ "$1" != --check ]; then
    "$python" scripts/package.py number "$1"
    git diff --quiet || git commit --quiet --all --message "Version $1"
fi
version=$("$python" -c 'import facedown; print(facedown.__version__)')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# pythons: every declared Python that is here, one for each minor version; those of pyenv as well.
pythons() {
    sed -n 's/.*Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml | while read -r minor; do
        "$uv" python find --no-project --no-python-downloads "$minor" 2>/dev/null ||
            first_that_runs "${PYENV_ROOT:-$HOME/.pyenv}/versions/$minor".*/bin/python
    done
}

first_that_runs() {
    for each; do
        "$each" --version >/dev/null 2>&1 && echo "$each" && return
    done
    return 0
}

# build PYTHON FOLDER: what git has, as an sdist, and a wheel from that sdist, in environments with the locked tools only.
build() {
    mkdir -p "$2/tree"
    git archive HEAD | tar -x -C "$2/tree"
    "$uv" build --quiet --no-config --python "$1" --build-constraints requirements-test.lock --require-hashes \
        --out-dir "$2/dist" "$2/tree" || fail "the package is not built."
    for file in "$2/dist"/*.whl "$2/dist"/*.tar.gz; do
        printf '%s\n' "${file##*/}"
        "$python" scripts/package.py contents "$file"
    done >"$2/contents.txt"
}

# install PYTHON [EXTRA]: the wheel in a new environment, $work/environment.
install() {
    rm -rf "$work/environment"
    "$uv" venv --quiet --python "$1" "$work/environment" &&
        "$uv" pip install --quiet --python "$work/environment/bin/python" "$wheel${2:-}" &&
        "$uv" pip check --quiet --python "$work/environment/bin/python"
}

pythons >"$work/pythons"
read -r first <"$work/pythons" || fail "none of the declared Pythons is here."
say "building $version on $("$first" --version), twice"
build "$first" "$work/first"
build "$first" "$work/the second, elsewhere"
for file in "$work/first/dist"/facedown-*; do
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

while read -r each; do
    if [ "$each" != "$first" ]; then
        say "building on $("$each" --version)"
        rm -rf "$work/other"
        build "$each" "$work/other"
        cmp "$work/first/contents.txt" "$work/other/contents.txt" || fail "this build has other contents."
    fi
    for extra in "" "[play]"; do
        say "installing ${extra:-without extras} on $("$each" --version)"
        install "$each" "$extra" || fail "the package cannot be installed."
        (cd "$work" && "$work/environment/bin/python" "$root/scripts/package.py" smoke) || fail "it does not work (above)."
    done
done <"$work/pythons"

for extra in $("$python" scripts/package.py extras "$wheel"); do
    say "installing [$extra]"
    install "$first" "[$extra]" || fail "the extra cannot be installed."
    (cd "$work" && "$work/environment/bin/facedown" games >/dev/null) || fail "it does not work (above)."
done

rm -rf dist
mkdir dist
cp "$wheel" "$sdist" dist/
cp "$work/first/contents.txt" "dist/facedown-$version.contents.txt"
"$python" scripts/package.py parts "$version" >"dist/facedown-$version.cdx.json"
"$python" scripts/package.py notes "$version" >"dist/facedown-$version.notes.md"
(cd dist && sha256sum facedown-* >SHA256SUMS)
say "dist/ holds $version:"
cat dist/SHA256SUMS >&2
say "to publish it:"
say "  git tag v$version && git push --tags && $uv tool run twine upload dist/*.whl dist/*.tar.gz"
