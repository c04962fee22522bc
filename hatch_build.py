"""Build hook: puts the browser's bundle into a package, made from the sources of this moment.

A package without it is not built. An editable install goes on without: its server reads the sources.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EDITABLE = "editable"


class BundleHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes `facedown/web/bundle.zip` before files are gathered."""

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
