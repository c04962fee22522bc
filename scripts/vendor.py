"""Fetches the browser's libraries and fonts again: all of them, or those named, such as `htm@3.1.1`.

Without a name the versions of the manifest are taken. A file with a `bundle` is built by esbuild from the
exports named there, so that only what is used is shipped. Needs npm on the PATH; the fonts need two packages:
`uv run --with fonttools --with brotli scripts/vendor.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[1] / "src/facedown/web/vendor"
"""The libraries of the pages, with a manifest."""

LATIN: Final = (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x152, 0x153)
SIGNS: Final = tuple(map(ord, "–—‘’‚“”„…•−×→↵⇄✓♠♣♥♦"))


def main(asked: list[str]) -> int:
    """Fetch the named packages, or all, and update the manifest."""
    wanted = dict(each.rsplit("@", 1) for each in asked)
    manifest = FOLDER / "manifest.json"
    packages = json.loads(manifest.read_text(encoding="utf-8"))
    for package in packages:
        package["version"] = wanted.get(package["name"], package["version"])
        if wanted and package["name"] not in wanted:
            continue
        with TemporaryDirectory() as place:
            fetch(package, Path(place))
        print(package["name"], package["version"])
    manifest.write_text(json.dumps(packages, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def fetch(package: dict[str, Any], place: Path) -> None:
    """Fetch one package from npm: its files and its licence, with their digests."""
    spec = f"{package['name']}@{package['version']}"
    run("npm", "pack", spec, folder=place)
    with tarfile.open(next(place.glob("*.tgz"))) as bundle:
        bundle.extractall(place, filter="data")
    for file in package["files"]:
        target = FOLDER / file["path"]
        if "bundle" in file:
            target.write_bytes(bundled(spec, package["bundler"], file["bundle"], place))
        else:
            source = place / "package" / file["from"]
            target.write_bytes(font(source, file["weights"]) if "weights" in file else library(source))
        file["sha256"] = hashlib.sha256(target.read_bytes()).hexdigest()
    (FOLDER / package["licence_text"]).write_bytes((place / "package" / "LICENSE").read_bytes())


def library(source: Path) -> bytes:
    """A text file without the address of a source map that is not shipped."""
    lines = source.read_text(encoding="utf-8").split("\n")
    text = "\n".join(re.split(r"/[/*]# sourceMappingURL=", line)[0] for line in lines)
    return text.rstrip().encode() + b"\n"


def bundled(spec: str, bundler: str, exports: dict[str, list[str]], place: Path) -> bytes:
    """One minified module with the named exports of a package's modules, and whatever they need."""
    lines = [f'export {{ {", ".join(names)} }} from "{module}";' for module, names in exports.items()]
    (place / "package.json").write_text("{}", encoding="utf-8")
    (place / "entry.js").write_text("\n".join(lines), encoding="utf-8")
    run("npm", "install", "--no-save", spec, bundler, folder=place)
    options = ("--bundle", "--minify", "--format=esm", "--target=es2022")
    return run("npx", "esbuild", "entry.js", *options, folder=place)


def run(*command: str, folder: Path) -> bytes:
    """The standard output of a program; npm trusts the system's certificates and reports its own errors."""
    trusting = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    return subprocess.run(command, cwd=folder, env=trusting, check=True, stdout=subprocess.PIPE).stdout


def font(source: Path, weights: list[int]) -> bytes:
    """A font cut down to the letters, signs and weights that the pages use."""
    from io import BytesIO

    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    face = TTFont(source)
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["kern", "tnum", "lnum"])
    options.name_IDs = [0, 1, 2, 13, 14]  # what the font is and under which licence
    cut = subset.Subsetter(options)
    cut.populate(unicodes=[*LATIN, *SIGNS])
    cut.subset(face)
    if "fvar" in face:
        face = instancer.instantiateVariableFont(face, {"wght": (min(weights), max(weights))})
    face.flavor = "woff2"
    out = BytesIO()
    face.save(out)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
