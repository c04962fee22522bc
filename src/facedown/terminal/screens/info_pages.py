"""Information pages of a table: why, the log, the rules, the keys, the review."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.parts.scene import Held
from facedown.core.seats import Seat, Viewer
from facedown.core.text.markdown import blocks, plain_text
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.screens.list_page import Dialog, ListEntry
from facedown.terminal.screens.text_page import TextPage
from facedown.terminal.settings import Look
from facedown.terminal.words import Rulebook, review_text, rules_behind


def info_page(
    key: str | None, builder: StageBuilder, viewer: Viewer, held: Sequence[Held]
) -> TextPage | None:
    """The page that a key asks for; None where it asks for none."""
    if key == "w":
        return why_page(builder, viewer)
    if key == "l":
        return log_page(builder, viewer)
    if key == "r":
        return rules_page(builder)
    if key == "?":
        return keys_page(builder, held)
    return None


def why_page(builder: StageBuilder, viewer: Viewer) -> TextPage:
    """What happened last, and the rules that made it so."""
    table, words = builder.table, builder.words
    history = table.history(viewer)
    if not history:
        return TextPage(words("why.title"), [words("why.nothing")])
    book = Rulebook(table.game, table.rules, words)
    cited = [f"{rule}\t{said}" for rule, said in book.citations(rules_behind(history[-1].seen))]
    return TextPage(words("why.title"), [*builder.sentences(history[-1]), "", *cited])


def log_page(builder: StageBuilder, viewer: Viewer) -> TextPage:
    """Everything that happened, decision by decision; the latest is in sight."""
    lines = []
    for each in builder.table.history(viewer):
        lines.append(f"{each.decision or '':>4}\t{builder.words.sentences(builder.sentences(each))}")
    return TextPage(builder.words("log.title"), lines, from_end=True)


def rules_page(builder: StageBuilder) -> TextPage:
    """The game's page, with the values of these rules."""
    book = Rulebook(builder.table.game, builder.table.rules, builder.words)
    return TextPage(builder.words("rules.title"), [plain_text(block) for block in blocks(book.page)])


def keys_page(builder: StageBuilder, held: Sequence[Held]) -> TextPage:
    """What every key does."""
    words = builder.words
    names: tuple[str, ...] = ("choose", "seal", "why", "log", "rules", "menu", "quit", "any", "mouse")
    if builder.table.players is not None:
        names = (*names[:5], "talk", "machine", *names[5:])
    lines = [words(f"keys.{name}") for name in names]
    also = {key: word for each in held for key, _, word in each.also}
    lines[2:2] = [words("keys.also", key=key, word=word) for key, word in also.items()]
    if builder.table.players is not None and builder.table.players.fairness:
        lines.append(builder.table.players.fairness)
    return TextPage(words("keys.title"), [line for each in lines for line in (each, "")])


def review_page(builder: StageBuilder, seat: Seat, look: Look) -> TextPage:
    """What the seat's picks gave away."""
    words = builder.words

    def load(width: int) -> Sequence[str]:
        record = builder.table.record()
        if record is None:
            return [words("why.nothing")]
        return review_text(record, seat, words, width, ascii_only=look.ascii)

    return TextPage(words("review.title"), load=load)


def review_dialog(builder: StageBuilder) -> Dialog[Seat]:
    """Whose review is to be shown, where several people shared the screen."""
    table = builder.table
    entries = [ListEntry(table.names[seat - 1], seat) for seat in table.people]
    return Dialog(builder.words("review.whose"), entries)
