"""QR codes: an address as a picture that a phone can read."""

from __future__ import annotations

import io


def qr_svg(text: str) -> str:
    """The text as a QR code, an SVG that fills its box."""
    import segno

    drawn = io.BytesIO()
    code = segno.make(text, micro=False)
    code.save(drawn, kind="svg", border=3, light="#ffffff", xmldecl=False, omitsize=True)
    return drawn.getvalue().decode()
