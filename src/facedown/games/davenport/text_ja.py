"""How a terminal tells Davenport in Japanese: the same table, questions and sentences as `text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.games.davenport.notation import is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import PLAYOFF, Round
from facedown.games.davenport.text import by_value
from facedown.games.davenport.view import DavenportView

Names: TypeAlias = Sequence[str]
Facts: TypeAlias = Mapping[str, Any]  # every kind of event has facts of its own

ABOUT: Final = {
    "title": "ダヴェンポート",
    "summary": "全員が一枚ずつ見せ、最も高い札は手を離れ、ほかは一枚引く。先に手札をなくした人の勝ち。",
    "preset.davenport": "最も高い札が回戦に勝ち、先に手札をなくした人の勝ち。",
    "preset.aces": "エースは絵札を破り、そうでなければ罰を受ける。",
    "preset.pointed": "エースの規則で、決定戦は三勝まで。",
    "option.ace": "エースの規則",
    "option.exchange": "交換",
    "option.placing": "置く順",
    "option.playoff": "決定戦",
    "option.playoff_wins": "決定戦の勝ち数",
    "machine.random": "無心",
    "machine.random.says": "どの札も、出すか交換するかも、等しい確率で選びます。",
    "machine.highest": "高い札",
    "machine.highest.says": "いつも最も高い札を出し、交換はしません。",
    "machine.lowest": "低い札",
    "machine.lowest.says": "いつも最も低い札を出し、交換はしません。高い札がたまります。",
    "machine.careful": "慎重",
    "machine.careful.says": (
        "札を数え、ほかの席の好みに気づき、高い札を大事な時まで取っておき、よい札がなければ最も低い札を交換します。"
    ),
}
"""What the game, its presets, its options and its machines are called."""
WORDS: Final = {
    "round": "第{number}回戦",
    "playoff": "決定戦第{number}回戦",
    "over": "対局終了",
    "mood": "決定戦：新しい一組、エースの規則なし",
    "stock": "山札",
    "discards": "捨て札",
    "cards": "{count}枚",
    "card": "1枚",
    "wins": "{count}勝",
    "win": "1勝",
    "not_in": "不参加",
    "exchange": "交換",
    "exchanged": "交換",
    "won": "勝ち",
    "won_exchanged": "交換で勝ち",
    "tip": "{card}を出す。",
    "tip_exchange": "xで{card}を山札の一番上と交換（見えないまま）。",
}
_ENDINGS: Final = {
    "out": "最初に手札をなくしました",
    "playoff": "決定戦によります",
    "resignation": "ほかの全員が投了しました",
}


# --- the table -------------------------------------------------------------------------------------------


def table(view: DavenportView, names: Names) -> str:
    """Who holds how many cards and showed what, the stock, and one's own hand by value."""
    piles = f"山札{view.stock}枚、捨て札{view.discards}枚"
    phase = WORDS["playoff" if view.phase == PLAYOFF else "round"].format(number=view.round)
    lines = [f"{phase}：{piles}" if view.outcome is None else f"終局後：{piles}"]
    last = view.history[-1] if view.history else None
    shown = last.shown if isinstance(last, Round) else (None,) * view.seats
    for seat, name in enumerate(names, 1):
        card = shown[seat - 1]
        lines.append(f"  {name}：{place(view, seat)}{'' if card is None else f'、{card}を見せた'}")
    if view.hand:
        lines.append(f"  手札：{' '.join(by_value(view.hand))}")
    return "\n".join(lines)


def place(view: DavenportView, seat: Seat) -> str:
    """What a seat holds, and its wins where a playoff counts them."""
    if seat not in view.seats_in:
        return WORDS["not_in"]
    cards = f"{view.hands[seat - 1]}枚"
    rules = view.rules
    assert isinstance(rules, DavenportRules)
    if view.phase == PLAYOFF and rules.playoff == "wins":
        return f"{cards}、{view.wins[seat - 1]}勝"
    return cards


# --- what can be placed ----------------------------------------------------------------------------------


def ask(view: DavenportView, legal: tuple[Pick, ...], names: Names) -> str:
    """What the seat has to decide, and how it is written."""
    if not legal:
        return "今は決めることがありません。"
    card = by_value(view.hand)[-1]
    if any(map(is_exchange, legal)):
        return f"札を一枚出すか（例：{card}）、山札の一番上と交換してください（例：x{card}）。"
    return f"札を一枚出してください（例：{card}）。"


# --- what happened ---------------------------------------------------------------------------------------


def tell(seen: Seen, names: Names) -> str | None:
    """One sentence for what happened."""
    teller = TELLERS.get(seen.kind)
    return None if teller is None else teller(seen.facts, names)


def _deal(facts: Facts, names: Names) -> str:
    return f"全員に{facts['cards']}枚ずつ配られました。"


def _hand(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}の手札は{' '.join(by_value(facts['cards']))}。"


def _reveal(facts: Facts, names: Names) -> str:
    where = WORDS["playoff" if facts["phase"] == PLAYOFF else "round"].format(number=facts["round"])
    showed = [
        f"{name} {card}{'（交換）' if exchanged else ''}"
        for name, card, exchanged in zip(names, facts["shown"], facts["exchanged"], strict=True)
        if card is not None
    ]
    everybody = len(showed) > 1 and len(facts["winners"]) == len(showed)
    winners = "全員" if everybody else _seats(facts["winners"], names)
    return f"{where}：{'、'.join(showed)}。{winners}が勝ちました。"


def _seats(seats: Sequence[Seat], names: Names) -> str:
    return "と".join(names[seat - 1] for seat in seats)


def _draws(facts: Facts, names: Names) -> str:
    drew: tuple[int, ...] = facts["drew"]
    parts = []
    for number in sorted(set(drew) - {0}):
        seats = [seat for seat, count in enumerate(drew, 1) if count == number]
        each = "ずつ" if len(seats) > 1 else ""
        parts.append(f"{_seats(seats, names)}が{number}枚{each}")
    return f"{'、'.join(parts)}引きました。"


def _drawn(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}は{' '.join(facts['cards'])}を引きました。"


def _shuffle(facts: Facts, names: Names) -> str:
    return "山札が尽き、捨て札を切って山札にしました。"


def _skipped(facts: Facts, names: Names) -> str:
    return "山札も捨て札もなく、残りの引き札は省かれました。"


def _out(facts: Facts, names: Names) -> str:
    return f"{_seats(facts['seats'], names)}は最後の札を手放しました。"


def _playoff(facts: Facts, names: Names) -> str:
    how = "最も低い札が退きます" if facts["playoff"] == "elimination" else "勝ち数を競います"
    return f"{_seats(facts['seats'], names)}の決定戦です。新しい一組、三枚ずつ。{how}。"


def _eliminated(facts: Facts, names: Names) -> str:
    return f"{_seats(facts['seats'], names)}は決定戦から退きました。"


def _resignation(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}は投了しました。"


def _end(facts: Facts, names: Names) -> str:
    ending = _ENDINGS.get(facts["termination"], facts["termination"])
    return f"{names[facts['winner'] - 1]}の勝ちです。{ending}。"


TELLERS: Final[Mapping[str, Callable[[Facts, Names], str]]] = {
    "deal": _deal,
    "hand": _hand,
    "reveal": _reveal,
    "draws": _draws,
    "drawn": _drawn,
    "shuffle": _shuffle,
    "skipped": _skipped,
    "out": _out,
    "playoff": _playoff,
    "eliminated": _eliminated,
    "resignation": _resignation,
    "end": _end,
}
