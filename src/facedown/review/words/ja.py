"""A review in Japanese sentences: the same functions as `words`, no surer than the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from facedown.core.game import RESIGN, Pick
from facedown.core.parts.judge import Appraisal, Exposure, Timing
from facedown.review.predictability import Readable
from facedown.review.review import Part, Review
from facedown.review.words.en import FEW, NOTHING
from facedown.review.words.en import change as change
from facedown.review.words.en import percent as percent

HEADS: Final = {
    "swing": "最も大きく動いたところ：{place}",
    "luck": "運と腕",
    "readable": "読まれやすさ",
    "scale": "{scored}。0は閉じた本、100は開いた本です。",
    "timing": "{label}：あなた{yours}回、{adviser}{judges:.1f}回",
}
COLUMNS: Final = ("", "前", "後", "手", "", "損", "逃した分")
PICKS: Final[Mapping[Pick, str]] = {RESIGN: "投了"}
GAP: Final = ""

_WON: Final = {
    "extra": "延長戦で決まりました",
    "out": "最初に手札をなくしました",
    "playoff": "決定戦によります",
    "ruin": "相手の持ち点が尽きました",
    "resignation": "投了によります",
}
_LOST: Final = _WON | {
    "out": "ほかの席が先に手札をなくしました",
    "ruin": "持ち点が尽きました",
}


# --- the game --------------------------------------------------------------------------------------------


def headline(review: Review) -> str:
    """How the game ended for the seat."""
    name, outcome = review.names[review.seat - 1], review.outcome
    if outcome is None:
        return f"{name}：対局は続いています"
    won = outcome.winner == review.seat
    how = "引き分け" if outcome.winner is None else "勝ち" if won else "負け"
    ending = (_WON if won else _LOST).get(outcome.termination)
    return f"{name}の{how}{_score(review)}{f'：{ending}' if ending else ''}"


def _score(review: Review) -> str:
    """The score of two, one's own first, where it says more than who won."""
    assert review.outcome is not None
    score = review.outcome.score
    if len(score) != 2 or sorted(score) == [0, 1]:
        return ""
    return f"、{score[review.seat - 1]}対{score[2 - review.seat]}"


def about(review: Review) -> str:
    """Which game it was, against whom, and how long."""
    others = [name for seat, name in enumerate(review.names, 1) if seat != review.seat]
    rounds = f"{len(review.judged.rounds)}回戦、" if review.judged.rounds else ""
    against = f"、相手は{'と'.join(others)}" if others else ""
    length = f"{rounds}{len(review.judged.chances)}手"
    return f"{review.title}、{review.rules}、{review.seat}番席{against}。{length}。"


def judged_by(review: Review) -> str:
    """What the chances are based on."""
    errors = [each.error for each in review.judged.chances if each.error]
    if not errors:
        return f"判定は{review.judged.judge}によります。"
    return (
        f"判定は{review.judged.judge}によります。どの見込みも、誤差はおよそ±{200 * max(errors):.0f} %です。"
    )


def largest_swing(review: Review) -> str:
    """The decision that changed most: from where to where, what everybody saw, and who gave what away."""
    swing = review.swing
    told = review.told[swing.decision - 1]
    costs = {each.decision: each for each in review.judged.appraisals}
    own = costs.get(swing.decision)
    parts = [told] if told else []
    if swing.gift is not None and swing.gift >= NOTHING:
        parts.append(f"{_others(review)}の手は{percent(swing.gift)}を手放しました。")
    if own is not None and own.cost - 2 * own.error >= NOTHING:
        parts.append(f"あなたの手は{percent(own.cost, own.error)}を手放しました。")
    if len(parts) == bool(told) and swing.gift is not None:
        parts.append("誰の手も何も手放していません。運でした。")
    return "".join(parts)


# --- picks -----------------------------------------------------------------------------------------------


def advice(mix: Mapping[Pick, float], names: Mapping[Pick, str]) -> str:
    """What the judge would have picked.

    >>> advice({"E": 0.25, "C": 0.75}, {}), advice({"C": 0.0, "E": 1.0}, {"E": "皇帝"}), advice({}, {})
    ('C 75 %、E 25 %', '皇帝', '')
    """
    likely = sorted(
        ((pick, share) for pick, share in mix.items() if share >= NOTHING), key=lambda each: -each[1]
    )
    named = [(names.get(pick, pick), share) for pick, share in likely]
    if len(named) == 1:
        return named[0][0]
    if len(named) > 3:
        return f"{named[0][0]}など{len(named)}通り"
    return "、".join(f"{name} {100 * share:.0f} %" for name, share in named)


def cost(appraisal: Appraisal) -> str:
    """What a pick gave away."""
    if appraisal.error:
        return percent(appraisal.cost, appraisal.error)
    return amount(appraisal.cost)


def amount(value: float | None) -> str:
    """A cost where there may be none, or none that can be told.

    >>> amount(0.0312), amount(0.0), amount(None)
    ('3.1 %', 'なし', '')
    """
    if value is None:
        return ""
    return percent(value) if value >= NOTHING else "なし"


def named(review: Review, pick: Pick | None) -> str:
    """What a pick is called."""
    return "なし" if pick is None else review.judged.names.get(pick, pick)


def explained(review: Review) -> list[str]:
    """What the columns of the table of picks mean."""
    adviser = review.judged.adviser
    lines = ["見込みは、そこから全員が判定者のように打つとした場合の勝つ見込みです（引き分けは半分）。"]
    if any(each.error for each in review.judged.appraisals):
        lines.append(
            f"損：同じ偶然のもとで、「{adviser}」の手があなたの手より多く勝った割合です。±は標準誤差の二倍で、"
            "0に届くなら損はないかもしれません。"
        )
    else:
        lines.append(f"損：{adviser}のとおりに打つ相手に対して、あなたの手が手放したものです。")
    if any(each.missed is not None for each in review.judged.appraisals):
        lines.append(
            "逃した分：それまでの回戦から読める相手の打ち方に対して、最善の手ならさらに得られたものです。"
        )
    if review.readable is not None:
        chance = review.judged.reading.chance
        lines.append(
            f"偶然を超えるビット数：あなたの手が、{chance}よりどれだけ読み手を驚かせなかったかです。"
        )
    return lines


# --- over the game ---------------------------------------------------------------------------------------


def luck_and_skill(review: Review) -> list[str]:
    """Where the difference between the start and the end came from."""
    if not review.judged.chances:
        return ["まだ何も決まっていません。"]
    ended = "今は" if review.outcome is None else "終わりは"
    lines = [f"あなたの見込みは、始めが{percent(*review.start)}、{ended}{percent(*review.end)}です。"]
    lines.append(_skill(review.skill, review.judged.adviser))
    if review.gifts is None:
        lines.append(f"残り（運とほかの席の手）：{_signed(review.luck)}。")
        return lines
    given = review.gifts.value
    what = f"{percent(given)}を手放しました" if given >= NOTHING else "何も手放していません"
    lines.append(f"{_others(review)}の手は{what}。")
    luck = review.luck.value
    if abs(luck) < NOTHING:
        return [*lines, "運による差はありません。"]
    return [*lines, f"運は{percent(abs(luck))}{'をもたらしました' if luck > 0 else 'を奪いました'}。"]


def _others(review: Review) -> str:
    """The other, or the others."""
    return "ほかの席" if len(review.names) != 2 else review.names[2 - review.seat]


def _skill(skill: Part, adviser: str) -> str:
    if skill.error and skill.value > 0:
        return f"あなたの手は「{adviser}」に劣りませんでした：{_signed(skill)}。"
    if skill.value > -NOTHING:
        return "あなたの手は何も手放していません。"
    return f"あなたの手は{percent(-skill.value, skill.error)}を手放しました。"


def _signed(part: Part) -> str:
    return f"{'+' if part.value >= NOTHING else ''}{percent(*part)}"


def scored(found: Readable) -> str:
    """The number, and from where to where it may be."""
    return f"100のうち{found.number:.0f}（95 %区間は{found.low:.0f}から{found.high:.0f}）"


def how_readable(review: Review) -> list[str]:
    """What readers made of the seat, and how little that may mean."""
    found = review.readable
    if found is None:
        return ["読まれて困る手はありませんでした。"]
    gained = "得ました" if found.bits >= 0 else "失いました"
    reader = review.judged.reading.who
    lines = [f"{reader}は、{found.picks}手で偶然より{abs(found.bits):.1f}ビットを{gained}。"]
    exposure = review.judged.exposure
    if exposure is not None:
        lines += [_exposed(exposure), _compared(exposure)]
    if found.rounds < FEW:
        lines.append(f"{found.rounds}回だけでは確かなことは言えません。目安としてご覧ください。")
    return lines


def _exposed(found: Exposure) -> str:
    """What a perfect reader of the seat's habits would have won."""
    interval = f"95 %区間は{100 * found.low:.0f}から{100 * found.high:.0f} %"
    return f"完全な読み手なら、回戦の{100 * found.share:.0f} %に勝ったはずです（{interval}）。"


def _compared(found: Exposure) -> str:
    return f"まったく読めない人でも、これだけの回戦では{100 * found.usual:.0f} %になります。"


def how_timed(timing: Timing, adviser: str) -> str:
    """The largest difference between when it was done and when the judge would have."""
    rows = zip(timing.labels, timing.yours, timing.judges, strict=True)
    label, yours, judges = max(rows, key=lambda row: abs(row[1] - row[2]))
    return f"{label}では{yours}回でした。{adviser}なら、同じ場面で{judges:.1f}回です。"
