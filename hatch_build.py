"""Build hooks: the browser's bundle in every package, and a long description whose links work anywhere.

A package is not built without the bundle. An editable install is: its server serves the sources.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

EDITABLE = "editable"
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<to>(?!https?:|#)[^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


class PackageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes what a package has besides the sources: `facedown/web/bundle.zip`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bundle, or stop the build; a server makes that of an editable install if it can."""
        if version == EDITABLE:
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from facedown.web.bundle import bundle

        bundle()


class DescriptionHook(MetadataHookInterface):
    """Makes the long description from README.md, and the project's URLs, by `[tool.facedown]`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what pyproject.toml calls dynamic; the version is hatchling's own."""
        root = Path(self.root)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["facedown"]
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute_links(text, settings)}
        metadata["urls"] = urls(settings)


def absolute_links(text: str, settings: dict[str, str]) -> str:
    """A text with absolute links and pictures; without an address of the sources, links become plain text."""
    home = settings["home"].rstrip("/")

    def absolute(found: re.Match[str]) -> str:
        if not home:
            return "" if found["picture"] else found["text"]
        kind = settings["pictures" if found["picture"] else "pages"]
        return f"{found['picture']}[{found['text']}]({home}/{kind}{found['to']})"

    return LINK.sub(absolute, COMMENT.sub("", text))


def urls(settings: dict[str, str]) -> dict[str, str]:
    """The project's URLs, as the index shows them."""
    home = settings["home"].rstrip("/")
    if not home:
        return {}
    pages = f"{home}/{settings['pages']}"
    return {
        "Homepage": home,
        "Documentation": f"{pages}docs/index.md",
        "Changelog": f"{pages}CHANGELOG.md",
        "Source": home,
    }
