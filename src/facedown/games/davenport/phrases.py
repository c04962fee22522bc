"""What Davenport says about rule sets, in every language; `text` tells the game itself."""

from __future__ import annotations

from typing import Final

from facedown.core.text.phrases import Phrases

say: Final = Phrases(
    {
        "en": {"idle_wins": "playoff_wins has no meaning unless playoff=wins (D19)"},
        "ja": {"idle_wins": "playoff_winsは、playoff=winsのときにだけ意味があります（D19）"},
    }
)
