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
    "title": "ダベンポート",
    "summary": "全員が一枚ずつ出し、最高の札は手から離れ、他は一枚引く。先に手札をなくせば勝ち。",
    "preset.davenport": "最高の札がその回を取る。先に手札をなくした者の勝ち。",
    "preset.aces": "エースは絵札に勝ち、それ以外では罰を受ける。",
    "preset.pointed": "エースの規則あり。プレーオフは三勝先取。",
    "option.ace": "エースの規則",
    "option.exchange": "交換",
    "option.placing": "置く順番",
    "option.playoff": "プレーオフ",
    "option.playoff_wins": "プレーオフの勝ち数",
}
"""What the game, its presets and its options are called."""
WORDS: Final = {
    "round": "第{number}回",
    "playoff": "プレーオフ第{number}回",
    "over": "対局終了",
    "mood": "プレーオフ：新しい一組、エースの規則なし",
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
    "out": "最初に手札をなくした",
    "playoff": "プレーオフによる",
    "resignation": "他の全員が投了した",
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
        lines.append(f"  {name}：{place(view, seat)}{'' if card is None else f'、{card}を出した'}")
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
    return f"全員に{facts['cards']}枚ずつ配られた。"


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
    return f"{where}：{'、'.join(showed)}。{winners}が取った。"


def _seats(seats: Sequence[Seat], names: Names) -> str:
    return "と".join(names[seat - 1] for seat in seats)


def _draws(facts: Facts, names: Names) -> str:
    drew: tuple[int, ...] = facts["drew"]
    parts = []
    for number in sorted(set(drew) - {0}):
        seats = [seat for seat, count in enumerate(drew, 1) if count == number]
        each = "ずつ" if len(seats) > 1 else ""
        parts.append(f"{_seats(seats, names)}が{number}枚{each}引いた")
    return f"{'、'.join(parts)}。"


def _drawn(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}は{' '.join(facts['cards'])}を引いた。"


def _shuffle(facts: Facts, names: Names) -> str:
    return "山札がなくなり、捨て札を切って山札にした。"


def _skipped(facts: Facts, names: Names) -> str:
    return "山札も捨て札もなく、残りの引きは飛ばされた。"


def _out(facts: Facts, names: Names) -> str:
    return f"{_seats(facts['seats'], names)}が最後の札をなくした。"


def _playoff(facts: Facts, names: Names) -> str:
    how = "最低の札が抜ける" if facts["playoff"] == "elimination" else "勝ち数を数える"
    return f"{_seats(facts['seats'], names)}のプレーオフ。新しい一組から三枚ずつ、{how}。"


def _eliminated(facts: Facts, names: Names) -> str:
    return f"{_seats(facts['seats'], names)}がプレーオフから抜けた。"


def _resignation(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}が投了した。"


def _end(facts: Facts, names: Names) -> str:
    ending = _ENDINGS.get(facts["termination"], facts["termination"])
    return f"{names[facts['winner'] - 1]}が対局に勝った。{ending}。"


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
