"""Golden texts with numbers, compared without the last digits, in which processors may differ."""

from __future__ import annotations

import re
from typing import Final

_LONG: Final = re.compile(r"(?<=[:,\[ ])(?:-?\d+\.\d{9,}(?:e[-+]?\d+)?|-?\d+(?:\.\d+)?e-\d+)(?=[],}])")


def steady(text: str) -> str:
    """JSON with numbers rounded to eight decimals, all else as it is.

    >>> steady('{"value":0.33333333333333331,"off":1.2e-17,"share":0.25,"id":"7e-12"}')
    '{"value":0.33333333,"off":0.0,"share":0.25,"id":"7e-12"}'
    """
    return _LONG.sub(lambda found: repr(float(f"{float(found[0]):.8f}")), text)
