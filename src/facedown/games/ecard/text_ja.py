"""How a terminal tells E-Card in Japanese: the same table, questions and sentences as `text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import Round
from facedown.games.ecard.view import ECardView

Names: TypeAlias = Sequence[str]
Facts: TypeAlias = Mapping[str, Any]  # every kind of event has facts of its own

_LEDGER: Final = 48
CARDS: Final = {"E": "皇帝", "C": "市民", "S": "奴隷"}
ABOUT: Final = {
    "title": "Eカード",
    "summary": "皇帝は市民に、市民は奴隷に、奴隷は皇帝に勝つ。決め手の一枚を、いつ出すか。",
    "preset.classic": "一回戦は三戦まで、奴隷の勝ちは五倍、獲得の多いほうの勝ち。",
    "preset.victories": "一回戦は三戦まで、勝った回戦の多いほうの勝ち。",
    "preset.decisive": "どの回戦も決着まで続け、一つの勝ちはどれも同じ重さ。",
    "preset.purse": "奴隷側が回戦ごとの賭けを決める。持ち点が尽きたら負け。",
    "option.plays": "一回戦の戦数",
    "option.placing": "置く順",
    "option.slave_pays": "奴隷の勝ちの倍率",
    "option.victory": "勝敗",
    "option.tie": "同点のとき",
    "option.first": "最初の皇帝側",
    "option.stakes": "賭け",
    "option.rounds": "回戦数",
    "option.group": "組の回戦数",
    "option.purse": "持ち点",
    "option.max_stake": "賭けの上限",
    "machine.random": "無心",
    "machine.random.says": "手札から目をつぶって一枚を出し、賭けも同じように決めます。",
    "machine.equilibrium": "均衡",
    "machine.equilibrium.says": (
        "どの局面でも厳密な解のとおりに出します。長い目で見れば負けず、狙って勝つこともありません。"
    ),
    "machine.reader": "読み手",
    "machine.reader.says": (
        "この対局と覚えている対局でのあなたを読み、それに最もよい手を返します。だますこともできます。"
    ),
    "machine.habit": "くせ者",
    "machine.habit.says": (
        "人のように出します。最初にはめったに出さず、前回と同じところを避け、負けた後は早くなります。"
        "読んで勝つための相手です。"
    ),
    "machine.master": "名人",
    "machine.master.says": "厳密な解を軸に、あなたの誤りが償う分だけ、あなたへの最善手へ寄せます。",
}
"""What the game, its presets, its options and its machines are called."""
WORDS: Final = {
    "emperor_side": "皇帝側",
    "slave_side": "奴隷側",
    "emperor": "皇帝",
    "citizen": "市民",
    "slave": "奴隷",
    "side_of": "{name}の側",
    "your_sides": "あなたの側（回戦ごと）",
    "extra": "延長",
    "over": "対局終了",
    "nobody": "なし",
    "you_take": "{card}ならあなたが{paid}を得る",
    "other_takes": "{card}なら相手が{paid}を得る",
    "draw": "{card}なら引き分け",
    "meets": "相手が{cases}。",
    "named": "賭けは{stake}。",
    "between": "、",
}
_ENDINGS: Final = {
    "completed": "全回戦が終わりました",
    "extra": "延長戦で決まりました",
    "ruin": "相手の持ち点が尽きました",
    "resignation": "投了によります",
}
_TIES: Final = {"extra": "延長の一回戦で決めます", "pair": "二回戦ずつの延長で決めます"}


# --- the table -------------------------------------------------------------------------------------------


def table(view: ECardView, names: Names) -> str:
    """The sides, the score and the rounds so far, and one's own hand."""
    lines = [heading(view)] if view.outcome is None else []
    for side, seat in ((WORDS["emperor_side"], view.emperor), (WORDS["slave_side"], 3 - view.emperor)):
        lines.append(f"  {side}  {names[seat - 1]}  {account(view, seat)}")
    lines += _ledger(view.rounds, names)
    if view.hand:
        lines.append(f"  手札    {'、'.join(CARDS[card] for card in view.hand)}")
    return "\n".join(lines)


def heading(view: ECardView) -> str:
    """Where the game stands."""
    rules = _rules(view)
    number = (
        f"延長第{view.round - rules.rounds}回戦" if view.extra else f"第{view.round}回戦（全{rules.rounds}）"
    )
    if view.stake is None:
        return f"{number}、賭けを決める前"
    stake = f"、賭け{view.stake}" if rules.stakes == "named" else ""
    return f"{number}、{view.play}戦目（{view.last_play}戦まで）{stake}"


def account(view: ECardView, seat: Seat) -> str:
    """What a seat has; what wins the game stands first."""
    wins = f"{view.wins[seat - 1]}勝"
    if view.purses is not None:
        return f"持ち点{view.purses[seat - 1]}、{wins}"
    winnings = f"獲得{view.winnings[seat - 1]}"
    return f"{wins}、{winnings}" if _rules(view).victory == "rounds" else f"{winnings}、{wins}"


def short_account(view: ECardView, seat: Seat) -> str:
    """The same where there is little room."""
    return account(view, seat)


def _ledger(rounds: tuple[Round, ...], names: Names) -> list[str]:
    """What each of the latest rounds paid to whom, and the play that decided it."""
    if not rounds:
        return []
    cell = max(3, *(len(str(each.paid)) + 1 for each in rounds)) + 1
    first = max(1, len(rounds) - _LEDGER // cell + 1)
    latest = rounds[first - 1 :]
    rows = [("回戦", [str(number) for number in range(first, len(rounds) + 1)])]
    rows += [
        (name, [f"+{each.paid}" if each.winner == seat else "." for each in latest])
        for seat, name in enumerate(names, 1)
    ]
    rows.append(("決着した戦", [str(each.plays) if each.winner else "-" for each in latest]))
    return [f"  {''.join(each.rjust(cell) for each in cells)}  {label}" for label, cells in rows]


def _rules(view: ECardView) -> ECardRules:
    assert isinstance(view.rules, ECardRules)
    return view.rules


# --- what can be placed ----------------------------------------------------------------------------------


def ask(view: ECardView, legal: tuple[Pick, ...], names: Names) -> str:
    """What the seat has to decide, and how it is written."""
    if not legal:
        return "今は決めることがありません。"
    if view.stake is None:
        return f"この回戦の賭けを決めてください（1から{legal[-1]}まで）。"
    choices = [f"{card}（{CARDS[card]}）" for card in legal]
    if len(choices) == 1:
        return f"残りは一枚だけです：{choices[0]}。"
    return f"カードを伏せてください：{'か'.join(choices)}。"


# --- what happened ---------------------------------------------------------------------------------------


def tell(seen: Seen, names: Names) -> str | None:
    """One sentence for what happened."""
    teller = TELLERS.get(seen.kind)
    return None if teller is None else teller(seen.facts, names)


def _sides(facts: Facts, names: Names) -> str:
    emperor, slave = names[facts["emperor"] - 1], names[2 - facts["emperor"]]
    return f"第{facts['round']}回戦から、{emperor}が皇帝側、{slave}が奴隷側です。"


def _stake(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}は第{facts['round']}回戦の賭けを{facts['stake']}にしました。"


def _reveal(facts: Facts, names: Names) -> str:
    place = f"第{facts['round']}回戦の{facts['play']}戦目："
    winner = facts["winner"]
    if winner is None:
        return f"{place}市民どうしで引き分けです。"
    one, two = (CARDS[card] for card in facts["cards"])
    better, worse = CARDS[facts["cards"][winner - 1]], CARDS[facts["cards"][2 - winner]]
    return f"{place}{names[0]}は{one}、{names[1]}は{two}。{better}が{worse}に勝ちました。"


def _round(facts: Facts, names: Names) -> str:
    winner = facts["winner"]
    if winner is None:
        return f"第{facts['round']}回戦は勝者なし、支払いもありません。{_score(facts, names)}"
    return (
        f"{names[winner - 1]}が第{facts['round']}回戦に勝ちました（+{facts['paid']}）。{_score(facts, names)}"
    )


def _score(facts: Facts, names: Names) -> str:
    return (
        f"得点：{'、'.join(f'{name} {score}' for name, score in zip(names, facts['score'], strict=True))}。"
    )


def _tie(facts: Facts, names: Names) -> str:
    return f"最後の回戦を終えて{_to(facts['score'])}の同点です。{_TIES[facts['tie']]}。"


def _resignation(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]}は投了しました。"


def _end(facts: Facts, names: Names) -> str:
    ending = _ENDINGS.get(facts["termination"], facts["termination"])
    if facts["winner"] is None:
        return f"{_to(facts['score'])}の引き分けです。{ending}。"
    best = facts["score"] if facts["winner"] == 1 else reversed(facts["score"])
    return f"{_to(best)}で{names[facts['winner'] - 1]}の勝ちです。{ending}。"


def _to(score: Any) -> str:
    return "対".join(map(str, score))


TELLERS: Final[Mapping[str, Callable[[Facts, Names], str]]] = {
    "sides": _sides,
    "stake": _stake,
    "reveal": _reveal,
    "round": _round,
    "tie": _tie,
    "resignation": _resignation,
    "end": _end,
}
