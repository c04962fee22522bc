"""Build hooks: the browser's bundle in every package, the compiled engine in a wheel by
FACEDOWN_COMPILED=1, and a long description whose links work anywhere.

A package is not built without the bundle. An editable install is: its server serves the sources.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # a build runs this file alone
from scripts import compiled

EDITABLE = "editable"
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<to>(?!https?:|#)[^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


class PackageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes what a package has besides the sources: `facedown/web/bundle.zip`, and the compiled engine."""

    def dependencies(self) -> list[str]:
        """What this build needs besides what every build needs."""
        return [*compiled.NEEDS] if compiled.wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bundle, or stop the build."""
        sys.path.insert(0, str(Path(self.root) / "src"))
        from facedown.web.bundle import NoBundle, bundle

        try:
            bundle()
        except NoBundle as error:
            if version != EDITABLE:
                raise
            self.app.display_warning(f"the browser's client is not bundled: {error}")
        if compiled.wanted() and self.target_name == "wheel" and version != EDITABLE:
            self._add_compiled_engine(build_data)

    def _add_compiled_engine(self, build_data: dict[str, Any]) -> None:
        """Make it a wheel for this Python and platform; the sources stay beside the compiled modules."""
        self._compiled = tempfile.TemporaryDirectory()
        try:
            found = compiled.compile_modules(Path(self.root), Path(self._compiled.name))
        except compiled.CannotCompile as error:
            self.app.abort(str(error))
        build_data["force_include"] |= found
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


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
