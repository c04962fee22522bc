"""The package of a release: its version and changelog section, its builds and what they have to hold.

python scripts/package.py number VERSION            write the version and date the changelog's section
python scripts/package.py check WHEEL SDIST         fail where metadata or content are not fit for an index
python scripts/package.py smoke                     try what is installed in the environment that runs this
python scripts/package.py sbom                      print what it is made of and needs, as CycloneDX
"""

from __future__ import annotations

import datetime
import email
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

ROOT: Final = Path(__file__).parents[1]
VERSION_FILE: Final = "src/facedown/version.py"
VERSION_LINE: Final = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)
SEMANTIC: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:(a|b|rc)\d+)?")
UNRELEASED: Final = "## Not released yet"
RELATIVE: Final = re.compile(r"\]\((?!https?:|#)[^)]*\)|<img[^>]+src=\"(?!https?:)")
MOST_BYTES: Final = 3_000_000
LARGEST_SHARE: Final = 0.35
"""No single file may be more of the wheel than this."""
NOT_SHIPPED: Final = re.compile(
    r"(^|/)(tests/(?!vectors/)|__pycache__/|\.git|node_modules/)|\.pyc$|\.d\.ts\.map$"
)


# --- the number ------------------------------------------------------------------------------------------


def number(root: Path, version: str, today: datetime.date) -> None:
    """Write a new version to version.py, and give the changelog's section its version and date."""
    parts = SEMANTIC.fullmatch(version)
    if parts is None:
        raise SystemExit(f"{version} is no semantic version such as 1.1.0 or 2.0.0rc1")
    file = root / VERSION_FILE
    text = file.read_text(encoding="utf-8")
    found = VERSION_LINE.search(text)
    if found is None:
        raise SystemExit(f"{VERSION_FILE} has no line with a version")
    if _order(version) <= _order(found["version"]) and version != found["version"]:
        raise SystemExit(f"{version} does not come after {found['version']}")
    changelog = root / "CHANGELOG.md"
    written = dated(changelog.read_text(encoding="utf-8"), version, today)
    file.write_text(VERSION_LINE.sub(f'__version__ = "{version}"', text), encoding="utf-8")
    changelog.write_text(written, encoding="utf-8")


def dated(changelog: str, version: str, today: datetime.date) -> str:
    """The changelog with what was not released yet under this version and date."""
    before, mark, after = changelog.partition(f"{UNRELEASED}\n")
    if not mark or not after.partition("\n## ")[0].strip():
        raise SystemExit(f"CHANGELOG.md has nothing under {UNRELEASED!r}: there is nothing to release")
    if f"\n## {version} " in changelog:
        raise SystemExit(f"CHANGELOG.md has a section of {version} already")
    return f"{before}## {version} ({today.isoformat()})\n{after}"


def _order(version: str) -> tuple[int, int, int, str]:
    """Versions in their order; a final one comes after its candidates."""
    found = SEMANTIC.fullmatch(version)
    assert found is not None, version
    candidate = version[found.end(3) :] or "~"
    return int(found[1]), int(found[2]), int(found[3]), candidate


# --- what it needs ---------------------------------------------------------------------------------------

LOCKS: Final = ("requirements.lock", "deploy/postgresql.lock")
"""What the launcher installs, and what the image adds."""
VENDORED: Final = ("web/vendor", "server/http/docs_viewer/vendor")


def bill_of_materials(root: Path, version: str) -> dict[str, object]:
    """Every package of Python that is installed and of npm that is shipped, as CycloneDX."""
    packages = {
        ("pypi", name, found)
        for lock in LOCKS
        for name, found in re.findall(
            r"^([\w.-]+)==([^\s;]+)", (root / lock).read_text("utf-8"), re.MULTILINE
        )
    }
    for folder in VENDORED:
        manifest = json.loads((root / "src/facedown" / folder / "manifest.json").read_text("utf-8"))
        packages |= {("npm", each["name"], each["version"]) for each in manifest}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "facedown", "version": version}},
        "components": [
            {
                "type": "library",
                "name": name,
                "version": found,
                "purl": f"pkg:{kind}/{quote(name)}@{found}",
            }
            for kind, name, found in sorted(packages)
        ],
    }


# --- the files -------------------------------------------------------------------------------------------


def problems(wheel: Path, sdist: Path | None = None) -> list[str]:
    """What an index or an installer would reject."""
    from packaging.metadata import Metadata
    from trove_classifiers import classifiers

    found = []
    if not wheel.name.endswith("-py3-none-any.whl"):
        found.append("the wheel is compiled: build it without FACEDOWN_COMPILED")
    with zipfile.ZipFile(wheel) as archive:
        sizes = {each.filename: each.compress_size for each in archive.infolist()}
        name = next(each for each in sizes if each.endswith(".dist-info/METADATA"))
        raw = archive.read(name)
    try:
        metadata = Metadata.from_email(raw, validate=True)
    except ExceptionGroup as errors:
        return [str(error) for error in errors.exceptions]
    found += [f"no such classifier: {each}" for each in metadata.classifiers or () if each not in classifiers]
    body = email.message_from_bytes(raw).get_payload()
    found += [f"a link of the long description leads nowhere: {each}" for each in RELATIVE.findall(str(body))]
    if not str(body).lstrip().startswith("# "):
        found.append("there is no long description")
    found += [f"not to be shipped: {each}" for each in sizes if NOT_SHIPPED.search(each)]
    whole = sum(sizes.values())
    if wheel.stat().st_size > MOST_BYTES:
        found.append(f"the wheel has {wheel.stat().st_size} bytes, more than {MOST_BYTES}")
    found += [
        f"{each} is {size / whole:.0%} of the wheel"
        for each, size in sizes.items()
        if size > whole * LARGEST_SHARE
    ]
    if sdist is not None:
        found += _sdist_problems(sdist, str(metadata.version))
    return found


def _sdist_problems(sdist: Path, version: str) -> list[str]:
    top = f"facedown-{version}"
    with tarfile.open(sdist) as archive:
        names = set(archive.getnames())
    built_by = ("pyproject.toml", "hatch_build.py", "scripts/compiled.py")
    needed = ("PKG-INFO", "README.md", "LICENSE", "CHANGELOG.md", *built_by)
    return [f"{each} is missing in the sdist" for each in needed if f"{top}/{each}" not in names]


# --- what is installed -----------------------------------------------------------------------------------


def smoke() -> None:
    """Play, verify, review and serve with what is installed here; raises where something does not work."""
    import facedown

    here = Path(facedown.__file__)
    if ROOT in here.parents and ".venv" not in here.parts and "build" not in here.parts:
        raise SystemExit(f"this would try the checkout, not what is installed: {here}")
    with tempfile.TemporaryDirectory() as folder:
        ran = _run(folder, "--version")
        if facedown.__version__ not in ran:
            raise SystemExit(f"--version says {ran!r}")
        for game in ("ecard", "davenport"):
            _run(folder, "play", game, "--plain", "--record", f"{game}.json", typed="resign\nyes\n" * 8)
            _run(folder, "verify", f"{game}.json")
            _run(folder, "review", f"{game}.json")
        _run(folder, "solve", "ecard", "--rules", "decisive")
        _library(folder)
        if find_spec("uvicorn") is not None:
            _serves(folder)


def _library(folder: str) -> None:
    """A match by hand, its record, and its proof, by the public names alone."""
    import facedown

    match = facedown.new("ecard", rules="decisive", seats=("Ann", "Bo"), seed="oak")
    while not match.outcome:
        for seat in match.may_seal:
            match.seal(seat, match.legal(seat)[0])
    match.record().dump(f"{folder}/game.json")
    if not all(finding.holds for finding in facedown.verify(facedown.Record.load(f"{folder}/game.json"))):
        raise SystemExit("the record of a game does not hold")


def _run(folder: str, *arguments: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "facedown", *arguments],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"facedown {' '.join(arguments)}: {done.stderr or done.stdout}")
    return done.stdout


def _serves(folder: str) -> None:
    """A server starts, and sends its pages and its description."""
    command = [sys.executable, "-m", "facedown", "serve", "--port", "0", "--data", f"{folder}/data"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip().rpartition(" ")[2]
            for path in ("/", "/api/openapi.json", "/readyz"):
                with urllib.request.urlopen(f"{address}{path}", timeout=60) as answer:
                    if answer.status != 200 or not answer.read():
                        raise SystemExit(f"{path} is not served")
        finally:
            server.terminate()


def main(arguments: list[str]) -> int:
    """One of the commands above."""
    match arguments:
        case ["number", version]:
            number(ROOT, version, datetime.datetime.now(datetime.UTC).date())
        case ["check", wheel, sdist]:
            found = problems(Path(wheel), Path(sdist))
            for each in found:
                print(f"release: {each}", file=sys.stderr)
            return 1 if found else 0
        case ["smoke"]:
            smoke()
        case ["sbom"]:
            line = VERSION_LINE.search((ROOT / VERSION_FILE).read_text("utf-8"))
            assert line is not None
            print(json.dumps(bill_of_materials(ROOT, line["version"]), indent=2))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
