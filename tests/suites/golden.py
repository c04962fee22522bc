"""Golden playthroughs: whole games as readable text, with every viewer's view at each step, kept as files.

Owns the text form and the comparison. A view is written once, and after that only where it changed.
With FACEDOWN_GOLDEN=write in the environment the files are written instead of compared.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from facedown.core.events import Event
from facedown.core.game import AnyGame, Joint
from facedown.core.replay import AnyMatch
from facedown.core.seats import Viewer, viewer_name
from facedown.core.views import Plain, plain
from facedown.testing.tables import Deal, TableSetup, seat_counts, telling_seed

WRITE = "FACEDOWN_GOLDEN"
MANY_SEATS = 4
SEEDS = 200
"""The number of seeds that are tried for a telling game."""

Fields = dict[str, Plain]


# --- which playthroughs there are ------------------------------------------------------------------------


def golden_tables(game: AnyGame) -> tuple[TableSetup, ...]:
    """The tables of which a game needs a playthrough: every preset with the fewest seats and with many."""
    counts = seat_counts(game)
    chosen = sorted({counts[0], min(max(MANY_SEATS, counts[0]), counts[-1])})
    presets = [game.rules.of(preset.name) for preset in game.rules.presets]
    return tuple(TableSetup(game, rules, count) for rules in presets for count in chosen)


def golden_file(folder: Path, table: TableSetup) -> Path:
    """Where the playthrough of a table is kept."""
    return folder / f"{table.game.name}-{table.rules}-{table.seats}.txt"


def check_golden(folder: Path, table: TableSetup) -> None:
    """Raise unless the table's playthrough matches its file; with FACEDOWN_GOLDEN=write, write it."""
    path = golden_file(folder, table)
    if os.environ.get(WRITE) == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(playthrough(table, telling_seed(table, SEEDS)), encoding="utf-8")
        return
    again = f"if that is right, run the test once with {WRITE}=write and read what changed"
    if not path.is_file():
        raise AssertionError(f"the golden playthrough {path.name} is missing: {again}")
    kept = path.read_text(encoding="utf-8")
    played = playthrough(table, int(kept.partition("\n")[0].rpartition(" seed ")[2]))
    if kept != played:
        raise AssertionError(f"{path.name}, {_first_difference(kept, played)}: {again}")


def stray_files(folder: Path, games: Iterable[AnyGame]) -> list[str]:
    """Golden files that belong to no table of these games."""
    expected = {golden_file(folder, table).name for game in games for table in golden_tables(game)}
    return sorted(path.name for path in folder.glob("*") if path.name not in expected)


def _first_difference(kept: str, played: str) -> str:
    lines, now = kept.splitlines(), played.splitlines()
    place = next(
        (n for n, (a, b) in enumerate(zip(lines, now, strict=False)) if a != b), min(len(lines), len(now))
    )
    was, is_now = ((each[place].strip() if place < len(each) else "the end") for each in (lines, now))
    return f"line {place + 1}, says {was!r}, but the game says {is_now!r}"


# --- the text --------------------------------------------------------------------------------------------


def playthrough(table: TableSetup, seed: int) -> str:
    """A whole game with uniform picks, as text."""
    return "\n".join(_lines(Deal(table, seed))) + "\n"


def _lines(deal: Deal) -> Iterator[str]:
    match = deal.open()
    seen: dict[Viewer, Fields] = {}
    drawn = len(match.chance.drawn)
    game, rules, seats = deal.table
    yield f"{game.name}, version {game.version}: {rules}, {seats} seats, seed {deal.seed}"
    yield from ("", "deal", *_moment(match, match.dealt.events, 0, seen))
    for after, joint, step in deal.play():
        yield from ("", f"decision {after.decision - 1}: {_joint_text(joint)}")
        yield from _moment(after, step.events, drawn, seen)
        drawn = len(after.chance.drawn)


def _joint_text(joint: Joint) -> str:
    return ", ".join(f"seat {seat} {pick}" for seat, pick in enumerate(joint, 1) if pick is not None)


def _moment(
    match: AnyMatch, happened: tuple[Event, ...], drawn: int, seen: dict[Viewer, Fields]
) -> Iterator[str]:
    """What chance drew, what happened, and what changed in each viewer's view."""
    if match.chance.drawn[drawn:]:
        yield f"  chance: {' '.join(match.chance.drawn[drawn:])}"
    yield from (f"  {_event(event)}" for event in happened)
    changed: dict[Viewer, Fields] = {}
    for viewer in range(len(match.names) + 1):
        fields = _fields(match, viewer)
        before = seen.get(viewer, {})
        changed[viewer] = {name: value for name, value in fields.items() if before.get(name, ...) != value}
        changed[viewer] = {name: _news(before.get(name), value) for name, value in changed[viewer].items()}
        seen[viewer] = fields
    common = {name: value for name, value in changed[0].items() if _is_common(name, value, changed)}
    yield from _sight("everybody", common)
    for viewer, news in changed.items():
        yield from _sight(viewer_name(viewer), {name: news[name] for name in news if name not in common})


def _fields(match: AnyMatch, viewer: Viewer) -> Fields:
    view = plain(match.view(viewer))
    assert isinstance(view, dict), "a view is a dataclass"
    return {name: value for name, value in view.items() if name != "viewer"}


def _news(before: Plain, value: Plain) -> Plain:
    if isinstance(before, list) and isinstance(value, list) and before and value[: len(before)] == before:
        return ["…", *value[len(before) :]]
    return value


def _is_common(name: str, value: Plain, changed: dict[Viewer, Fields]) -> bool:
    return all(name in news and news[name] == value for news in changed.values())


def _sight(who: str, news: Fields) -> Iterator[str]:
    if news:
        yield f"  {who} sees"
        yield from (f"    {name}: {_text(value)}" for name, value in news.items())


def _event(event: Event) -> str:
    facts = "".join(f" {name}={_text(plain(value))}" for name, value in event.facts.items())
    rules = f" ({', '.join(event.rules)})" if event.rules else ""
    audience = (
        "" if event.audience is None else f" [only {', '.join(map(viewer_name, sorted(event.audience)))}]"
    )
    return f"event: {event.kind}{rules}{facts}{audience}"


def _text(value: Plain) -> str:
    return json.dumps(value, ensure_ascii=False)
