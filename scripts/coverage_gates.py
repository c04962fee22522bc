"""Coverage gates: combines what a run of all tests measured, and fails if too little of a package ran."""

from __future__ import annotations

import io
import sys
from typing import Final

from coverage import Coverage

GATES: Final = {
    ("core", "games"): 95,
    ("server",): 85,
    ("client",): 85,
    ("protocol",): 85,
    ("review",): 85,
    ("terminal",): 85,
    ("sim",): 85,
    ("solve",): 85,
}
"""The least percentage of statements, by packages of `facedown`."""


def main() -> int:
    """Print a line for each gate; 1 if one does not hold."""
    measured = Coverage()
    measured.combine()
    measured.save()
    status = 0
    for packages, least in GATES.items():
        files = [f"src/facedown/{package}/*" for package in packages]
        percent = measured.report(include=files, file=io.StringIO())
        too_little = percent < least
        status |= too_little
        verdict = "  *** TOO LITTLE ***" if too_little else ""
        print(f"{' and '.join(packages)}: {percent:.1f} %, at least {least} % wanted{verdict}")
    return status


if __name__ == "__main__":
    sys.exit(main())
