"""A review as one page that stands alone: no script, nothing from elsewhere, fit to send to a friend.

Everything that comes from a record is escaped, and the page's own policy forbids what it does not need.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Final

from facedown.core.parts.judge import Appraisal
from facedown.core.text.english import opened
from facedown.review.html import charts
from facedown.review.html.markup import paragraph, said, section
from facedown.review.html.strip import rounds_of, strip
from facedown.review.review import Part, Review
from facedown.review.words.en import (
    about,
    advice,
    amount,
    change,
    cost,
    explained,
    headline,
    how_readable,
    how_timed,
    judged_by,
    largest_swing,
    luck_and_skill,
    named,
    percent,
)

_ALIGNED: Final = 16
"""As many rounds as stand side by side under the line on a wide screen; more of them are wrapped."""
_DEAR: Final = 0.01
"""What costs so much is worth a second look."""
_SEAL: Final = (
    '<svg viewBox="0 0 16 16" aria-hidden="true"><path class="wax" d="M8 1.2C10 .9 11 2.3 12.6 3.1C14.4 4 '
    "14.9 5.9 14.7 7.8C14.6 9.7 14.8 11.2 13.2 12.5C11.7 13.7 10.1 14.9 8.1 14.7C6.1 14.9 4.6 13.9 3.1 12.7"
    'C1.5 11.5 1.2 9.9 1.3 8C1.2 6.1 1.3 4.4 2.9 3.2C4.5 2.1 6 1.3 8 1.2Z"/><circle class="pressed" cx="8" '
    'cy="8" r="4.3"/></svg>'
)
_LEGEND: Final = (
    '<span><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="{kind}" fill="{fill}" width="12" '
    'height="12"/></svg>{words}</span>'
)


def page(review: Review) -> str:
    """The whole page."""
    style = _style(len(rounds_of(review)))
    proof = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{proof}'"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="dark light">',
            f"<title>{said(f'{headline(review)} · {review.title}, reviewed')}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            charts.HATCH,
            f'<header><div class="brand">{_SEAL}Review</div>',
            f"<h1>{said(headline(review))}</h1>{paragraph(about(review), 'quiet')}</header>",
            "<main>",
            *_sections(review),
            "</main>",
            f'<footer class="quiet">{paragraph(judged_by(review))}'
            f"{paragraph('Made by Facedown from the record of the game.')}</footer>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _style(rounds: int) -> str:
    """The style sheet; where there are few enough rounds, they stand under their part of the line."""
    style = resources.files("facedown.review.html").joinpath("page.css").read_text(encoding="utf-8")
    if not 0 < rounds <= _ALIGNED:
        return style
    columns = f".strip {{ grid-template-columns: repeat({rounds}, 1fr); }}"
    return f"{style}@media (min-width: 900px) {{ {columns} }}\n"


def _sections(review: Review) -> Iterator[str]:
    if review.judged.chances:
        lengths = [each.decisions for each in rounds_of(review)]
        line = charts.line(review.judged.chances, lengths, len(review.names), review.swing)
        yield section("chances", "Winning chances", line + strip(review))
        facts = _swing(review) + _timing(review) + _readable(review) + _parts(review)
        yield f'<div class="facts">{facts}</div>'
        yield section("picks", "Every pick", _picks(review), "all")
    else:
        yield section("none", "No picks yet", "".join(map(paragraph, luck_and_skill(review))))
    yield section("verify", "Verify this game", _verify(review))


# --- one fact a column -----------------------------------------------------------------------------------


def _swing(review: Review) -> str:
    swing = review.swing
    moves = paragraph(f"{percent(swing.before)} → {percent(swing.after)}", "moves")
    body = _cards(review) + moves + paragraph(largest_swing(review))
    return section("swing", f"The largest swing: {swing.place}", body)


def _cards(review: Review) -> str:
    """What was turned at the largest swing, where the picks have glyphs."""
    joint = review.record.picks[review.swing.decision - 1]
    cards = "".join(
        f"<figure>{charts.card(review.judged.glyphs[pick], named(review, pick))}"
        f"<figcaption>{said(name)}</figcaption></figure>"
        for name, pick in zip(review.names, joint, strict=True)
        if pick is not None and pick in review.judged.glyphs
    )
    return f'<div class="cards">{cards}</div>' if cards else ""


def _timing(review: Review) -> str:
    timing, adviser = review.judged.timing, review.judged.adviser
    if timing is None:
        return ""
    yours = _LEGEND.format(kind="solid", fill="none", words="you")
    judges = _LEGEND.format(kind="hatched", fill="url(#hatch)", words=said(f"{adviser}, same decisions"))
    body = charts.bars(timing, adviser) + f'<div class="legend">{yours}{judges}</div>'
    return section("timing", timing.title, body + paragraph(how_timed(timing, adviser)))


def _readable(review: Review) -> str:
    found = review.readable
    body = ""
    if found is not None:
        body = (
            f'<p><span class="big">{found.number:.0f}</span><span class="quiet">of 100</span></p>'
            f'{charts.scale(found)}<div class="ends"><span>closed</span><span>an open book</span></div>'
            f"{paragraph(f'95 % interval: {found.low:.0f} to {found.high:.0f}.', 'quiet')}"
        )
    words = [*how_readable(review), review.judged.habit or ""]
    return section("readable", "How readable you were", body + "".join(map(paragraph, filter(None, words))))


def _parts(review: Review) -> str:
    """The way from the start to the end, part by part; what takes away is hatched."""
    if review.gifts is None:
        steps = {"Your picks": review.skill, "The rest": review.luck}
    else:
        steps = {"Your picks": review.skill, "Their picks": review.gifts, "Luck": review.luck}
    rows = [
        ("Start", 0.0, review.start.value, percent(review.start.value)),
        *_steps(review.start.value, steps),
    ]
    end = review.end.value
    rows.append(("Now" if review.outcome is None else "End", 0.0, end, percent(end)))
    low, high = min(0.0, *(row[2] for row in rows)), max(1.0, *(row[2] for row in rows))
    body = "".join(
        f'<tr><th scope="row">{name}</th><td class="number">{said(number)}</td>'
        f'<td class="bar">{charts.span((begin - low) / (high - low), (end - low) / (high - low))}</td></tr>'
        for name, begin, end, number in rows
    )
    table = f'<table class="parts"><caption class="unseen">In numbers</caption><tbody>{body}</tbody></table>'
    return section("luck", "Luck and skill", table + "".join(map(paragraph, luck_and_skill(review))))


def _steps(start: float, steps: dict[str, Part]) -> Iterator[tuple[str, float, float, str]]:
    """Each part: its name, from where to where, and how much."""
    for name, part in steps.items():
        yield name, start, start + part.value, change(part.value)
        start += part.value


# --- the table of picks, and the proof -------------------------------------------------------------------


def _picks(review: Review) -> str:
    appraisals = review.judged.appraisals
    if not appraisals:
        return paragraph("This seat has not picked anything.")
    heads = {"Where": "place", "Before": "number", "After": "number", "Your pick": "pick"}
    heads |= {review.judged.adviser.capitalize(): "advice", "Cost": "number", "Missed": "number"}
    if all(each.missed is None for each in appraisals):
        del heads["Missed"]
    head = "".join(
        f'<th role="columnheader" scope="col" class="{kind}">{said(name)}</th>'
        for name, kind in heads.items()
    )
    rows = "".join(_pick(review, each, tuple(heads)) for each in appraisals)
    return (
        f'<table class="picks" role="table"><thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{rows}</tbody></table>'
        f'<div class="notes">{"".join(map(paragraph, explained(review)))}</div>'
    )


def _pick(review: Review, each: Appraisal, heads: tuple[str, ...]) -> str:
    """One row; on a narrow screen cells that are `named` say which column they are of."""
    chances = review.judged.chances[each.decision - 1]
    dear = " dear" if each.cost - 2 * each.error >= _DEAR else ""
    missed = " dear" if (each.missed or 0.0) >= _DEAR else ""
    cells = (
        ("number before", percent(chances.before)),
        ("number after", percent(chances.after)),
        ("pick named", named(review, each.pick)),
        ("advice named", advice(each.advice, review.judged.names)),
        (f"number cost named{dear}", cost(each)),
        (f"number missed named{missed}", amount(each.missed)),
    )
    row = "".join(
        f'<td role="cell" class="{kind}" data-name="{said(head)}">{said(words)}</td>'
        for head, (kind, words) in zip(heads[1:], cells, strict=False)
    )
    return f'<tr role="row"><th role="rowheader" scope="row" class="place">{said(each.place)}</th>{row}</tr>'


def _verify(review: Review) -> str:
    """What was checked when the page was written, and how to check it again."""
    checks = "".join(
        f"<li><b>{'–' if each.holds is None else '✓'}</b>{said(opened(each.say))}.</li>"
        for each in review.findings
    )
    record = escape(json.dumps(json.loads(review.record.write())))
    return (
        f'<ul class="checks">{checks}</ul>'
        "<p>Checked when this page was written. To check it yourself, save the record of the game, which is "
        "part of this page, as <code>game.json</code>, and run <code>facedown verify game.json</code>.</p>"
        f'<details><summary>The record</summary><pre tabindex="0">{record}</pre></details>'
    )
