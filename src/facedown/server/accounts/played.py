"""Finished games of people: what each played to the end, and how it came out, for lists and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from facedown.core.seats import Seat
from facedown.server.accounts.folding import FoldedGames
from facedown.server.store.values import EndedGame, ListedRow, Outcome, OutcomeCount, PlayedSeat
from facedown.server.table.summary import SummaryOutcome, read_outcome


class PlayedGames(FoldedGames):
    """The finished games of all people. Those that ended just now are among them; where very many wait to be
    noted, as in a database of before, only those that were."""

    name = "finished games"

    async def latest(self, person: str, limit: int) -> list[ListedRow]:
        """A person's games, last ended first."""
        await self.fold_latest()
        return await self._store.person_games(person, limit)

    async def outcomes(self, person: str) -> list[OutcomeCount]:
        """How often a person's games came out how."""
        return await self._store.outcomes(person)

    async def fold_some(self, limit: int) -> int:
        return await self._store.note_played(played_seats, limit)


def played_seats(ended: Sequence[EndedGame]) -> list[PlayedSeat]:
    """The seats of these games that people played to the end, each on their own device."""
    found = []
    for each in ended:
        came_out, held = read_outcome(each.about), Counter(person for _, person in each.people)
        for seat, person in each.people:
            outcome = _outcome(came_out, seat) if held[person] == 1 else None
            if outcome is not None:
                found.append(PlayedSeat(person, each.at, each.table, seat, each.game, outcome))
    return found


def _outcome(came_out: SummaryOutcome, seat: Seat) -> Outcome | None:
    """How a game came out for a seat; None where it is nobody's own, or a machine played it to the end."""
    result = came_out.result
    if result is None or came_out.hotseat:
        return None
    if any((gone.seat, gone.until) == (seat, None) for gone in result.replaced):
        return None
    if came_out.continued:
        return "continued"
    if result.winner is None:
        return "tied"
    return "won" if result.winner == seat else "lost"
