"""A review as one HTML page that stands alone: no script, nothing from elsewhere, fit to send to a friend.

Everything that comes from a record is escaped, and the page's own policy forbids what it does not need.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from itertools import accumulate
from typing import Final

from facedown.core.game import Pick
from facedown.core.parts.judge import Appraisal, JudgedRound
from facedown.core.text.translation import Message, Text, sentences
from facedown.review import message, words
from facedown.review.html import charts
from facedown.review.review import Review, Share
from facedown.review.words import change, percent, pick_name, pick_notation

# --- markup ----------------------------------------------------------------------------------------------


def html_text(text: str) -> str:
    """Text, escaped; a number and its sign stay on one line.

    >>> html_text("<b> 5 %")
    '&lt;b&gt; 5\\xa0%'
    """
    return escape(text.replace(" %", "\xa0%"))


def with_code(text: str) -> str:
    """Escaped text with backticks turned into code.

    >>> with_code("save it as `game.json`")
    'save it as <code>game.json</code>'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", html_text(text))


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of text."""
    return f"<p{_class(kind)}>{html_text(text)}</p>"


def section(name: str, title: str, body: str, kind: str = "") -> str:
    """A part of the page under its heading; the body is markup already."""
    heading = f'<h2 id="h-{name}">{html_text(title)}</h2>'
    return f'<section{_class(kind)} aria-labelledby="h-{name}">{heading}{body}</section>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


# --- the strip of rounds ---------------------------------------------------------------------------------


def rounds_of(review: Review) -> tuple[JudgedRound, ...]:
    """The judge's rounds; where it has none, every decision is one, and its result is what it changed."""
    judged = review.judged
    if judged.rounds:
        return judged.rounds
    picks = {each.decision: each.pick for each in judged.appraisals}
    return tuple(
        JudgedRound(
            str(each.decision), 1, picks.get(each.decision), None, None, change(each.after - each.before)
        )
        for each in judged.chances
    )


def strip(review: Review) -> str:
    """A list with a cell for every round; the one of the largest swing is outlined."""
    rounds = rounds_of(review)
    ends = accumulate(each.decisions for each in rounds)
    swung = next(place for place, end in enumerate(ends) if review.swing.decision <= end)
    cells = (_cell(review, each, "swung" if place == swung else "") for place, each in enumerate(rounds))
    return f'<ol class="strip">{"".join(cells)}</ol>'


def _cell(review: Review, each: JudgedRound, swung: str) -> str:
    won = "" if each.won is None else "won" if each.won else "lost"
    result = f"<span>{html_text(review.text(each.result))}</span>"
    description = html_text(review.text(_in_words(review, each)))
    above, below = ("", result) if each.won else (result, "")
    return (
        f'<li class="{swung} {won}"><span class="unseen">{description}</span>'
        f'<span class="cell" aria-hidden="true">'
        f'<span class="half theirs">{_sign(review, each.theirs)}{above}</span>'
        f'<span class="half ours">{_sign(review, each.ours)}{below}</span></span>'
        f'<span class="label" aria-hidden="true">{html_text(review.text(each.label))}</span></li>'
    )


def _in_words(review: Review, each: JudgedRound) -> Message:
    ours = pick_name(review, each.ours)
    if not review.judged.rounds:
        return message("strip.decision", label=each.label, pick=ours, result=each.result)
    ending = "nobody" if each.won is None else "won" if each.won else "lost"
    theirs = pick_name(review, each.theirs)
    return message(f"strip.{ending}", label=each.label, ours=ours, theirs=theirs, result=each.result)


def _sign(review: Review, pick: Pick | None) -> str:
    """The glyph of a pick, or how it is written."""
    glyph = review.judged.glyphs.get(pick or "")
    if glyph is not None:
        return f'<svg viewBox="0 0 16 16">{glyph}</svg>'
    return f"<span>{html_text(review.text(pick_notation(review, pick or '')))}</span>"


# --- the page --------------------------------------------------------------------------------------------


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
    'height="12"/></svg>{text}</span>'
)


def page(review: Review) -> str:
    """The whole page, in the language of the review."""
    style = _style(len(rounds_of(review)))
    proof = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{proof}'"
    headline = words.headline(review)
    title = review.text(message("page.title", headline=headline, title=review.title))
    about, judged_by, made = (
        review.text(each) for each in (words.about(review), words.judged_by(review), message("page.made"))
    )
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{review.language}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="dark light">',
            f"<title>{html_text(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            charts.HATCH,
            f'<header><div class="brand">{_SEAL}{html_text(review.text(message("page.review")))}</div>',
            f"<h1>{html_text(review.text(headline))}</h1>{paragraph(about, 'quiet')}</header>",
            "<main>",
            *_sections(review),
            "</main>",
            f'<footer class="quiet">{paragraph(judged_by)}{paragraph(made)}</footer>',
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
        line = charts.line(review.judged.chances, lengths, len(review.names), review.swing, review.text)
        yield section("chances", _title(review, "page.chances"), line + strip(review))
        facts = _swing(review) + _timing(review) + _predictability(review) + _parts(review)
        yield f'<div class="facts">{facts}</div>'
        yield section("picks", _title(review, "page.picks"), _picks(review), "all")
    else:
        yield section("none", _title(review, "page.none"), _paragraphs(review, words.luck_and_skill(review)))
    yield section("verify", _title(review, "page.verify"), _verify(review))


def _title(review: Review, key: str) -> str:
    return review.text(message(key))


def _paragraphs(review: Review, parts: Iterable[Text]) -> str:
    return "".join(paragraph(review.text(part)) for part in parts)


# --- one fact a column -----------------------------------------------------------------------------------


def _swing(review: Review) -> str:
    swing = review.swing
    moves = paragraph(f"{percent(swing.before)} → {percent(swing.after)}", "moves")
    body = _cards(review) + moves + paragraph(review.text(sentences(words.largest_swing(review))))
    return section("swing", review.text(message("swing.title", place=swing.place)), body)


def _cards(review: Review) -> str:
    """What was turned at the largest swing, where the picks have glyphs."""
    joint = review.record.picks[review.swing.decision - 1]
    cards = "".join(
        f"<figure>{charts.card(review.judged.glyphs[pick], review.text(words.pick_name(review, pick)))}"
        f"<figcaption>{html_text(name)}</figcaption></figure>"
        for name, pick in zip(review.names, joint, strict=True)
        if pick is not None and pick in review.judged.glyphs
    )
    return f'<div class="cards">{cards}</div>' if cards else ""


def _timing(review: Review) -> str:
    timing, adviser = review.judged.timing, review.judged.adviser
    if timing is None:
        return ""
    judge = message("page.adviser", adviser=adviser)
    legend = _LEGEND.format(kind="solid", fill="none", text=html_text(review.names[review.seat - 1]))
    legend += _LEGEND.format(kind="hatched", fill="url(#hatch)", text=html_text(review.text(judge)))
    body = charts.bars(timing, adviser, review.text) + f'<div class="legend">{legend}</div>'
    difference = words.largest_timing_difference(timing, adviser)
    return section("timing", review.text(timing.title), body + _paragraphs(review, [timing.note, difference]))


def _predictability(review: Review) -> str:
    """The pattern first; the number only where so few picks can tell."""
    found, pattern = review.predictability, words.pattern(review)
    body = "".join(
        paragraph(review.text(each), "pattern" if review.judged.pattern else "") for each in pattern[:1]
    )
    body += "".join(paragraph(review.text(each), "advice") for each in pattern[1:])
    if found is None or not words.has_score(review):
        pass
    elif found.tells:
        of_100, closed, opened = (
            html_text(_title(review, key)) for key in ("page.of_100", "page.closed", "page.open")
        )
        interval = review.text(message("page.interval", low=found.low, high=found.high))
        body += (
            f'<p><span class="big">{found.number:.0f}</span><span class="quiet">{of_100}</span></p>'
            f"{charts.scale(found, review.text)}"
            f'<div class="ends"><span>{closed}</span><span>{opened}</span></div>'
            f"{paragraph(interval, 'quiet')}"
        )
    else:
        body += paragraph(review.text(words.predictability_score(found)), "quiet")
    title = review.text(words.own(review, "readable.title"))
    return section("readable", title, body + _paragraphs(review, words.how_predictable(review)))


def _parts(review: Review) -> str:
    """The account from start to end, line by line; what takes away is hatched."""
    start, *shares, end = review.account
    rows: list[tuple[Share, float, float, str]] = [(start, 0.0, start.value, percent(start.value))]
    here = start.value
    for share in shares:
        rows.append((share, here, here + share.value, change(share.value)))
        here += share.value
    rows.append((end, 0.0, end.value, percent(end.value)))
    low, high = min(0.0, *(row[2] for row in rows)), max(1.0, *(row[2] for row in rows))
    body = "".join(
        f'<tr><th scope="row">{html_text(review.text(words.share_name(review, share.part)))}</th>'
        f'<td class="number">{html_text(number)}</td>'
        f'<td class="bar">{charts.span((begin - low) / (high - low), (end - low) / (high - low))}</td></tr>'
        for share, begin, end, number in rows
    )
    caption = html_text(_title(review, "page.numbers"))
    table = f'<table class="parts"><caption class="unseen">{caption}</caption><tbody>{body}</tbody></table>'
    return section("luck", _title(review, "luck.title"), table + _paragraphs(review, words.meanings(review)))


# --- the table of picks, and the proof -------------------------------------------------------------------


def _picks(review: Review) -> str:
    appraisals = review.judged.appraisals
    if not appraisals:
        return _paragraphs(review, [message("page.not_picked")])
    columns: list[tuple[Text, str]] = [
        (message("head.place"), "place"),
        (message("head.before"), "number"),
        (message("head.after"), "number"),
        (message("head.pick"), "pick"),
        (message("head.adviser", adviser=review.judged.adviser), "advice"),
        (message(f"head.{words.cost_column(review)}"), "number"),
    ]
    if any(each.missed is not None for each in appraisals):
        columns.append((message("head.missed"), "number"))
    heads = [html_text(review.text(name)) for name, _ in columns]
    head = "".join(
        f'<th role="columnheader" scope="col" class="{kind}">{name}</th>'
        for name, (_, kind) in zip(heads, columns, strict=True)
    )
    rows = "".join(_pick(review, each, heads) for each in appraisals)
    return (
        f'<table class="picks" role="table"><thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{rows}</tbody></table>'
        f'<div class="notes">{_paragraphs(review, words.column_notes(review))}</div>'
    )


def _pick(review: Review, each: Appraisal, heads: Sequence[str]) -> str:
    """One row; on a narrow screen cells that are `named` say which column they are of."""
    chances = review.judged.chances[each.decision - 1]
    dear = " dear" if each.clear and each.cost >= _DEAR else ""
    missed = " dear" if (each.missed or 0.0) >= _DEAR else ""
    cells: tuple[tuple[str, Text], ...] = (
        ("number before", percent(chances.before)),
        ("number after", percent(chances.after)),
        ("pick named", words.pick_name(review, each.pick)),
        ("advice named", words.advice(each.advice, {**review.judged.written, **review.judged.names})),
        (f"number cost named{dear}", words.cost(each)),
        (f"number missed named{missed}", words.amount(each.missed)),
    )
    row = "".join(
        f'<td role="cell" class="{kind}" data-name="{head}">{html_text(review.text(text))}</td>'
        for head, (kind, text) in zip(heads[1:], cells, strict=False)
    )
    place = html_text(review.text(each.place))
    return f'<tr role="row"><th role="rowheader" scope="row" class="place">{place}</th>{row}</tr>'


def _verify(review: Review) -> str:
    """What was verified when the page was written, and how to verify it again."""
    checks = "".join(
        f"<li><b>{'–' if each.holds is None else '✓'}</b>"
        f"{html_text(review.text(message('page.finding', finding=each.say)))}</li>"
        for each in review.findings
    )
    record = escape(json.dumps(json.loads(review.record.write())))
    return (
        f'<ul class="checks">{checks}</ul>'
        f"<p>{with_code(_title(review, 'page.verify_how'))}</p>"
        f"<details><summary>{html_text(_title(review, 'page.record'))}</summary>"
        f'<pre tabindex="0">{record}</pre></details>'
    )
