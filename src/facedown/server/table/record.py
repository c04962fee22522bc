"""The record of a table's game: complete when it is over, before that what a viewer may know."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from facedown.core.fairness import Proof
from facedown.core.game import Joint
from facedown.core.record import FORMAT, Origin, Record, origin_of, result_of
from facedown.core.replay import pools
from facedown.core.seats import Seat, Viewer
from facedown.core.views import Plain
from facedown.protocol.messages import GameResult
from facedown.server.store.values import EventRow
from facedown.server.table.state import TableState, fold_rows


def record_of(state: TableState, viewer: Viewer) -> str:
    """The record as JSON text, on one line."""
    if state.phase == "over":
        return finished_record(state).write()
    return json.dumps(running_record(state, viewer), ensure_ascii=False)


def finished_record(
    state: TableState,
    sig: str = "",
    log: Mapping[str, str] | None = None,
    unnamed: frozenset[Seat] = frozenset(),
) -> Record:
    """The complete record, with everything that `facedown verify` needs: `sig` is that of the last head,
    `log` proves that the public log holds the table. No proof holds a name, so each may be left out."""
    fair = Proof(tuple(state.links), tuple(state.nonces), sig, log=None if log is None else {**log})
    written = replace(unproven_record(state, unnamed), seed=state.seed.hex(), fair=fair)
    return replace(written, fair=replace(fair, pools=pools(written)))


def unproven_record(state: TableState, unnamed: frozenset[Seat] = frozenset()) -> Record:
    """A finished game without its proof: enough to replay it, and much shorter."""
    match, result = state.match, state.result
    assert match.outcome is not None
    assert result is not None
    return Record(
        game=match.game.name,
        rules=str(match.rules),
        seats=tuple("" if place.seat in unnamed else place.name for place in state.places),
        chance=tuple(match.chance.drawn),
        picks=tuple(match.picks),
        id=state.id,
        result=result_of(match.outcome) | _replacements(result),
        continues=_origin(state),
        version=match.game.version,
    )


def _origin(state: TableState) -> Origin | None:
    continues = state.setup.continues
    if continues is None:
        return None
    return Origin(continues.table, continues.decisions, len(state.taken_over[0]))


def _replacements(result: GameResult) -> dict[str, Plain]:
    if not result.replaced:
        return {}
    taken: list[Plain] = []
    for each in result.replaced:
        written: dict[str, Plain] = {"seat": each.seat, "machine": each.machine, "decision": each.decision}
        taken.append(written if each.until is None else {**written, "until": each.until})
    return {"replaced": taken}


def running_record(state: TableState, viewer: Viewer) -> dict[str, object]:
    """What a viewer may know before the end: revealed picks; chance only if the game hides no hands."""
    written: dict[str, object] = {
        "format": FORMAT,
        "game": state.setup.game,
        "version": state.setup.version,
        "rules": state.setup.rules,
        "seats": [place.name for place in state.places],
        "chance": [],
        "picks": [],
        "id": state.id,
        "running": state.phase,
    }
    origin = _origin(state)
    if origin is not None:
        written["continues"] = origin_of(origin)
    if state.dealt:
        match = state.match
        written["picks"] = [_open_picks(state, joint, viewer) for joint in match.picks]
        if not match.game.meta.hidden_hands:
            written["chance"] = list(match.chance.drawn)
    return written


def _open_picks(state: TableState, joint: Joint, viewer: Viewer) -> Joint:
    """The picks of a decision that lie open for this viewer; None for those that do not."""
    return tuple(
        pick if pick is None or seat == viewer or state.game.lies_open(pick) else None
        for seat, pick in enumerate(joint, 1)
    )


# --- from what the store holds ------------------------------------------------------------------------------


def read_record(table: str, rows: Iterable[EventRow]) -> Record | None:
    """The record of a finished game without its proof; None if it is not over."""
    state = fold_rows(table, rows)
    return unproven_record(state) if state.phase == "over" else None
