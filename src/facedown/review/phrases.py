"""What a judge that plays games out says of itself, in every language; games have judges of their own."""

from __future__ import annotations

from typing import Final

from facedown.core.text.phrases import Phrases

say: Final = Phrases(
    {
        "en": {
            "place": "decision {number}",
            "judge": (
                "{times} games that the machine `{machine}` played out from every position, with the cards "
                "that were really held; what comes later was drawn anew"
            ),
            "reader": "a reader who saw this seat's cards and knows the machines of this game",
            "blind": "a blind draw among the picks",
        },
        "ja": {
            "place": "{number}手目",
            "judge": (
                "どの局面からも機械「{machine}」が{times}局ずつ打ち切った結果"
                "（手札は実際のもの、その後に引く札は引き直し）"
            ),
            "reader": "この席の手札を見て、このゲームの機械を知る読み手",
            "blind": "目をつぶって選んだ手",
        },
    }
)
