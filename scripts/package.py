"""The package of a release: its version and changelog section, what its files have to hold, its parts list.

python scripts/package.py number VERSION            write the version and date the changelog's section
python scripts/package.py check WHEEL SDIST         fail where metadata or content are not fit for an index
python scripts/package.py contents FILE             list what a wheel or an sdist holds, with digests
python scripts/package.py extras WHEEL              list its extras
python scripts/package.py notes VERSION             print the changelog's section
python scripts/package.py parts VERSION             print the parts list (SBOM, CycloneDX)
python scripts/package.py smoke                     try what is installed in the environment that runs this
"""

from __future__ import annotations

import datetime
import email
import hashlib
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
UNRELEASED: Final = ", not released yet"
VERSION_LINE: Final = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)
SEMANTIC: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:(a|b|rc)\d+)?")
LOCKED: Final = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)
MADE: Final = {"PKG-INFO", "src/facedown/web/bundle.zip"}
"""What an sdist has beyond what git has."""
RELATIVE: Final = re.compile(r"\]\((?!https?:|#)[^)]*\)|<img[^>]+src=\"(?!https?:)")
MOST_BYTES: Final = 5_600_000
"""Three trained networks are 0.6 million of them, words in eight languages 0.8 million."""
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
    """The changelog with a date in the heading of this version, which is not released yet."""
    heading = f"\n## {version}{UNRELEASED}\n"
    if heading not in changelog:
        raise SystemExit(f"CHANGELOG.md has no '{heading.strip()}': there is nothing to release")
    return changelog.replace(heading, f"\n## {version} ({today.isoformat()})\n", 1)


def notes(changelog: str, version: str) -> str:
    """What the changelog says about a version."""
    heading = rf"^## {re.escape(version)}(?: \(.*\)|{UNRELEASED})?\n"
    found = re.search(rf"{heading}(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise SystemExit(f"CHANGELOG.md says nothing about {version}")
    return found[1].strip() + "\n"


def _order(version: str) -> tuple[int, int, int, str]:
    """Versions in their order; a final one comes after its candidates."""
    found = SEMANTIC.fullmatch(version)
    assert found is not None, version
    candidate = version[found.end(3) :] or "~"
    return int(found[1]), int(found[2]), int(found[3]), candidate


# --- the files -------------------------------------------------------------------------------------------


def contents(archive: Path) -> dict[str, str]:
    """The SHA-256 of every file in a wheel or an sdist, by its path; an sdist's folder is left out."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            found = {each: wheel.read(each) for each in wheel.namelist()}
    else:
        with tarfile.open(archive) as sdist:
            read = {each.name: sdist.extractfile(each) for each in sdist.getmembers()}
            found = {name.partition("/")[2]: each.read() for name, each in read.items() if each is not None}
    return {path: hashlib.sha256(found[path]).hexdigest() for path in sorted(found)}


def problems(wheel: Path) -> list[str]:
    """What an index or an installer would reject."""
    from packaging.metadata import Metadata
    from trove_classifiers import classifiers

    found = []
    with zipfile.ZipFile(wheel) as archive:
        sizes = {each.filename: each.compress_size for each in archive.infolist()}
        raw = archive.read(next(each for each in sizes if each.endswith(".dist-info/METADATA")))
    try:
        metadata = Metadata.from_email(raw, validate=True)
    except ExceptionGroup as errors:
        return [str(error) for error in errors.exceptions]
    found += [f"no such classifier: {each}" for each in metadata.classifiers or () if each not in classifiers]
    body = email.message_from_bytes(raw).get_payload()
    found += [f"a link of the long description leads nowhere: {each}" for each in RELATIVE.findall(str(body))]
    found += [f"not to be shipped: {each}" for each in sizes if NOT_SHIPPED.search(each)]
    whole = sum(sizes.values())
    if wheel.stat().st_size > MOST_BYTES:
        found.append(f"the wheel has {wheel.stat().st_size} bytes, more than {MOST_BYTES}")
    return found + [
        f"{each} is {size / whole:.0%} of the wheel"
        for each, size in sizes.items()
        if size > whole * LARGEST_SHARE
    ]


def differences(wheel: dict[str, str], sdist: dict[str, str], tracked: set[str]) -> list[str]:
    """Where a wheel is not what its sdist makes of it, or the sdist not what git has."""
    expected = {
        path.removeprefix("src/"): digest
        for path, digest in sdist.items()
        if path.startswith("src/facedown/")
    }
    files = {path: digest for path, digest in wheel.items() if ".dist-info/" not in path}
    found = [f"differs between wheel and sdist: {path}" for path, _ in files.items() ^ expected.items()]
    found += [f"git does not have {path}" for path in sdist.keys() - tracked - MADE]
    needed = {*MADE, "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "hatch_build.py"}
    found += [f"{path} is missing in the sdist" for path in needed - sdist.keys()]
    return sorted(found)


# --- the parts list --------------------------------------------------------------------------------------


def parts(root: Path, version: str) -> dict[str, object]:
    """The parts list (SBOM, CycloneDX 1.6) of what `./facedown` installs and of the vendored files."""
    locked = LOCKED.findall((root / "requirements.lock").read_text(encoding="utf-8"))
    components = [_part("pypi", name, number) for name, number in locked]
    for manifest in sorted((root / "src/facedown").rglob("vendor/manifest.json")):
        for each in json.loads(manifest.read_text(encoding="utf-8")):
            hashes = [{"alg": "SHA-256", "content": file["sha256"]} for file in each["files"]]
            licences = [{"license": {"id": each["licence"]}}]
            components.append(
                _part("npm", each["name"], each["version"]) | {"licenses": licences, "hashes": hashes}
            )
    ours = _part("pypi", "facedown", version) | {"type": "application"}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours | {"licenses": [{"license": {"id": "MIT"}}]}},
        "components": components,
    }


def _part(kind: str, name: str, version: str) -> dict[str, object]:
    address = f"pkg:{kind}/{quote(name)}@{version}"
    return {"type": "library", "bom-ref": address, "name": name, "version": version, "purl": address}


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
    facedown.save(match, f"{folder}/game.json")
    if not all(
        finding.holds is not False for finding in facedown.verify(facedown.load(f"{folder}/game.json"))
    ):
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
            listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
            tracked = set(listed.stdout.decode().split("\0"))
            found = problems(Path(wheel)) + differences(contents(Path(wheel)), contents(Path(sdist)), tracked)
            for each in found:
                print(f"release: {each}", file=sys.stderr)
            return 1 if found else 0
        case ["contents", file]:
            print("\n".join(f"{digest}  {path}" for path, digest in contents(Path(file)).items()))
        case ["extras", file]:
            with zipfile.ZipFile(file) as archive:
                name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
                metadata = email.message_from_bytes(archive.read(name))
            print("\n".join(metadata.get_all("Provides-Extra", [])))
        case ["notes", version]:
            changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
            print(notes(changelog, version), end="")
        case ["parts", version]:
            print(json.dumps(parts(ROOT, version), indent=1))
        case ["smoke"]:
            smoke()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
