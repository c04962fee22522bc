"""A table at a console: what each seat sees, the questions it can ask, and the silence of the hot seat."""

from __future__ import annotations

import io

import pytest

from facedown.core import registry
from facedown.core.parts.scene import Scenes
from facedown.core.parts.text import everything, text_of
from facedown.core.replay import AnyMatch
from facedown.core.seats import all_seats
from facedown.core.text.widths import cells
from facedown.terminal.lines.console import InputEnded, LeaveTable
from facedown.terminal.lines.table import LineTable
from facedown.terminal.tables.local import LocalTable
from tests.terminal.consoles import console
from tests.terminal.pilot import open_table, spec_of

OF_GAMES = pytest.mark.parametrize("game", registry.names())
PAUSE = "-" * 72


def solo(game: str, typed: str) -> tuple[LineTable, AnyMatch, io.StringIO]:
    """Seat 1 is a person who types this; the others are machines."""
    return at_a_console(open_table(spec_of(game)), typed)


def hot(game: str, typed: str, *, drawn: bool = False) -> tuple[LineTable, AnyMatch, io.StringIO]:
    people = all_seats(registry.get(game).meta.least_seats)
    return at_a_console(open_table(spec_of(game, people=people)), typed, drawn=drawn)


def at_a_console(
    table: LocalTable, typed: str, *, drawn: bool = False
) -> tuple[LineTable, AnyMatch, io.StringIO]:
    at, screen = console(typed)
    return LineTable(at, table, drawn=drawn), table.match, screen


def play_to_the_end(table: LineTable) -> None:
    with pytest.raises((InputEnded, LeaveTable)):
        table.play()


@OF_GAMES
def test_a_number_is_a_place_in_the_hand(game: str) -> None:
    _, match, _ = solo(game, "")
    held = Scenes(game, "en").hand(match.view(1), match.legal(1))
    for place, each in enumerate(held, 1):
        typed = {str(place): each.pick} | {f"{key} {place}": pick for key, pick, _ in each.also}
        for line, pick in typed.items():
            table, match, screen = solo(game, f"99\n{line}\n")
            play_to_the_end(table)
            assert match.picks[0][0] == pick
            assert screen.getvalue().count("Refused: ") == 1


def test_where_a_number_can_be_named_it_is_no_place() -> None:
    table = open_table(spec_of("ecard", "purse(first=1)", people=(2,)))
    lines, match, _ = at_a_console(table, "4\n2\n")  # seat 2 names a stake, then places its second card

    play_to_the_end(lines)

    assert [joint[1] for joint in match.picks][:2] == ["4", "C"]


@OF_GAMES
def test_machines_seal_before_a_person_who_picks_later(game: str) -> None:
    """Whatever is typed, the machines' picks of that decision are the same."""
    _, match, _ = solo(game, "")
    joints = set()
    for pick in match.legal(1):
        table, other, _ = solo(game, f"{pick}\n")
        play_to_the_end(table)
        joints.add(other.picks[0][1:])
    assert len(joints) == 1


@OF_GAMES
def test_another_game_follows_at_the_same_table(game: str) -> None:
    at, screen = console("again\nresign\nyes\nagain\n")
    table = open_table(spec_of(game))
    lines = LineTable(at, table)
    lines.play()
    assert "after the game: another one" in screen.getvalue(), "while it runs, it is only explained"

    following = lines.answer_questions()

    assert isinstance(following, LocalTable)
    assert (following.game, following.rules, following.names) == (table.game, table.rules, table.names)
    assert following.record() is None


@OF_GAMES
def test_cards_are_drawn_on_a_screen_that_is_wide_enough(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, drawn in (("72", True), ("71", False)):
        monkeypatch.setenv("COLUMNS", columns)
        at, screen = console(f"{open_table(spec_of(game)).legal(1)[0]}\n")
        with pytest.raises(InputEnded):
            LineTable(at, open_table(spec_of(game)), drawn=True).play()
        assert (".---" in screen.getvalue()) is drawn
        assert max(map(cells, screen.getvalue().splitlines())) < int(columns)


# --- the hot seat ----------------------------------------------------------------------------------------


@OF_GAMES
@pytest.mark.parametrize("drawn", [False, True])
def test_nothing_on_the_screen_depends_on_what_another_has_sealed(game: str, drawn: bool) -> None:
    """Between one's seal and the reveal, the next person sees the same whatever was sealed."""
    _, match, _ = hot(game, "")
    seat = match.may_seal[0]
    asked = "table\nhand\nwhy\nlog\nrules\n?\nresign\nno\n"
    seen = set()
    for pick in match.legal(seat):
        table, other, screen = hot(game, f"\n{pick}\n\n{asked}", drawn=drawn)
        play_to_the_end(table)
        assert other.sealed == (seat,)
        seen.add(screen.getvalue().split(f"\n{PAUSE}\n", 2)[2])
        assert (".---" in screen.getvalue()) is drawn
    assert len(match.legal(seat)) > 1
    assert len(seen) == 1


@OF_GAMES
def test_the_screen_is_cleared_before_and_after_every_turn(game: str) -> None:
    _, match, _ = hot(game, "")
    first, second = match.may_seal[0], (match.may_seal + match.pending[-1])[1]
    table, _, screen = hot(game, f"\n{match.legal(first)[0]}\n\n")

    play_to_the_end(table)

    deal, turn, pause, mine = screen.getvalue().split(PAUSE)
    assert f"{match.names[first - 1]} is next" in deal
    assert f"{match.names[first - 1]}> " in turn
    assert f"{match.names[second - 1]} is next" in pause
    assert f"{match.names[second - 1]}> " in mine


@OF_GAMES
def test_every_seat_sees_the_public_part_and_only_its_own_private_part(game: str) -> None:
    _, match, _ = hot(game, "")
    table, _, screen = hot(game, "\n")
    play_to_the_end(table)
    public, mine = screen.getvalue().split(PAUSE)
    text = text_of(game)

    for event in match.dealt.events:
        sentence = text.tell(everything(event), match.names)
        assert sentence is not None
        if event.audience is None:
            assert sentence in public
        else:
            assert sentence not in public
            assert (sentence in mine) is (match.may_seal[0] in event.audience)
