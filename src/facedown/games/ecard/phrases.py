"""What E-Card says about rule sets and finished games, in every language; `text` tells the game itself."""

from __future__ import annotations

from typing import Final

from facedown.core.text.phrases import Phrases

say: Final = Phrases(
    {
        "en": {
            # --- rule sets
            "group": "group={group} is more than rounds={rounds}: say group={rounds} or less",
            "uneven": "{rounds} rounds in groups of {group}: the sides are not shared evenly (E8)",
            "extra": "an extra round gives the last Emperor side 4 chances in 5 (E12)",
            "idle_victory": "with named stakes the fuller purse wins, whatever victory says (E13)",
            # --- the judge
            "judge": "the exact solution of these rules",
            "adviser": "equilibrium",
            "reader": "a reader of the earlier rounds",
            "dice": "the equilibrium's own dice",
            "card.E": "Emperor",
            "card.C": "Citizen",
            "card.S": "Slave",
            # --- where
            "place": "{round}, {what}",
            "round": "round {number}",
            "round.extra": "extra round {number}",
            "what.play": "play {number}",
            "what.stake": "stake",
            "what.resignation": "resignation",
            "label.extra": "extra {number}",
            "result.nobody": "no one",
            "result.resigned": "resigned",
            "result.goes_on": "goes on",
            # --- habits
            "timing": "When your special card fell",
            "habit.none": "No habit stands out from what chance does in so few rounds.",
            "habit": (
                "{on}our special card came {play}in {came} of {rounds} rounds, where the equilibrium's would "
                "have in {usual:.1f}: whoever noticed could {use}."
            ),
            "habit.all": "Y",
            "habit.side": "On the {card} side y",
            "habit.play": "at play {number} ",
            "habit.anytime": "",
            "habit.count": "count on it",
            "habit.safe": "feel safe",
        },
        "ja": {
            "group": (
                "組の回戦数（group={group}）が回戦数（rounds={rounds}）を超えています。"
                "group={rounds}以下にしてください"
            ),
            "uneven": "{rounds}回戦を{group}回戦ずつの組に分けると、両側の回数が等しくなりません（E8）",
            "extra": "延長一回戦では、最後に皇帝側の席が五回に四回勝ちます（E12）",
            "idle_victory": "賭けを決めるゲームでは、victoryにかかわらず持ち点の多いほうの勝ちです（E13）",
            "judge": "この規則の厳密な解",
            "adviser": "均衡",
            "reader": "それまでの回戦を見てきた読み手",
            "dice": "均衡のさいころ",
            "card.E": "皇帝",
            "card.C": "市民",
            "card.S": "奴隷",
            "place": "{round}・{what}",
            "round": "第{number}回戦",
            "round.extra": "延長第{number}回戦",
            "what.play": "{number}戦目",
            "what.stake": "賭け",
            "what.resignation": "投了",
            "label.extra": "延長{number}",
            "result.nobody": "勝者なし",
            "result.resigned": "投了",
            "result.goes_on": "続行中",
            "timing": "切り札を出した時",
            "habit.none": "これだけの回戦では、偶然と見分けのつくくせはありません。",
            "habit": (
                "{on}切り札が{play}出たのは{rounds}回戦中{came}回で、均衡なら{usual:.1f}回のはずでした。"
                "気づいた人は{use}。"
            ),
            "habit.all": "",
            "habit.side": "{card}側で、",
            "habit.play": "{number}戦目に",
            "habit.anytime": "",
            "habit.count": "それを当てにできました",
            "habit.safe": "安心できました",
        },
    }
)
