"""Keys at the full screen: what is raised and sealed, how a result is left, pages that close, and a bug."""

from __future__ import annotations

import asyncio

import pytest
from textual.events import Key
from textual.pilot import Pilot

from facedown.core import registry
from facedown.terminal.moments.effects import LongText
from facedown.terminal.screens.table_page import TablePage
from facedown.terminal.screens.text_page import TextPage
from facedown.terminal.words import Words, review_text
from tests.terminal.pilot import app_of, at, open_table, press, screen_text, settle, spec_of


def test_nothing_is_raised_before_a_key_raises_it_and_enter_seals_nothing_else() -> None:
    table = open_table(spec_of("ecard"))

    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, "enter", "enter", "space")
        assert (table.decision, table.placed_pick(1)) == (1, None)
        await press(pilot, "c")
        pilot.app.post_message(Key("enter", "\r"))
        await until(pilot, "any key continues")
        for _ in range(3):  # Enter continues; more of it seals nothing
            pilot.app.post_message(Key("enter", "\r"))
        await settle(pilot)
        assert "raises a card" in screen_text(pilot)
        assert (table.decision, table.placed_pick(1)) == (2, None)

    at(app_of(table), play, reveals=True)


def test_a_result_stays_until_a_key_and_the_key_still_has_its_effect() -> None:
    table = open_table(spec_of("ecard"))

    async def play(pilot: Pilot[str]) -> None:
        page = pilot.app.screen
        assert isinstance(page, TablePage)
        await press(pilot, "c")
        pilot.app.post_message(Key("enter", "\r"))
        await until(pilot, "any key continues")
        assert page.session.awaits_people()
        await press(pilot, "w")
        assert pilot.app.screen is not page
        assert "Why?" in screen_text(pilot)

    at(app_of(table), play, reveals=True)


@pytest.mark.parametrize("game", registry.names())
def test_a_digit_raises_the_card_at_that_place(game: str) -> None:
    table = open_table(spec_of(game))

    async def play(pilot: Pilot[str]) -> None:
        page = pilot.app.screen
        assert isinstance(page, TablePage)
        held = page.session.held_cards()
        for place in (len(held), 1, 2):
            await press(pilot, str(place))
            assert page.session.selection.place == place - 1
        await press(pilot, "9", "enter")
        assert table.match.picks[0][0] == held[1].pick, "there is no ninth card: the second stays raised"

    at(app_of(table), play)


def test_a_letter_raises_a_ten() -> None:
    tables = (open_table(spec_of("davenport", seed=str(seed))) for seed in range(50))
    table = next(each for each in tables if any(pick.startswith("T") for pick in each.legal(1)))

    async def play(pilot: Pilot[str]) -> None:
        page = pilot.app.screen
        assert isinstance(page, TablePage)
        indexes = [each.face.ascii_index for each in page.session.held_cards()]
        await press(pilot, "t")
        place = page.session.selection.place
        assert place is not None
        assert indexes[place][0] == "T"

    at(app_of(table), play)


async def until(pilot: Pilot[str], words: str) -> None:
    """Wait until this is shown."""
    for _ in range(20_000):
        if words in screen_text(pilot):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"never {words!r}:\n{screen_text(pilot)}")


def test_enter_that_ends_a_result_does_not_open_the_next_ones_curtain() -> None:
    table = open_table(spec_of("ecard", people=(1, 2)))

    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, "enter", "c", "enter", "enter", "c")
        pilot.app.post_message(Key("enter", "\r"))
        await until(pilot, "any key continues")
        for _ in range(2):
            pilot.app.post_message(Key("enter", "\r"))
        await settle(pilot)
        assert "No one's hand is on the screen" in screen_text(pilot)
        await press(pilot, "enter")
        assert "raises a card" in screen_text(pilot)

    at(app_of(table), play, reveals=True)


def test_a_key_counts_while_another_player_joins_or_chats() -> None:
    table = open_table(spec_of("ecard"))

    async def play(pilot: Pilot[str]) -> None:
        page = pilot.app.screen
        assert isinstance(page, TablePage)
        for key in ("home", "enter"):
            page.wake()  # as the server's news would: nothing is to be revealed
            page.on_key(Key(key, None))
        await settle(pilot)
        assert table.decision == 2 or table.outcome is not None, screen_text(pilot)

    at(app_of(table), play)


def test_a_bug_ends_the_screen_with_one_sentence_and_no_variables(capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(TextPage):
        def on_key(self, event: Key) -> None:
            token = "my own token"
            raise RuntimeError(f"no page of {len(token)} letters")

    app = app_of(open_table(spec_of("ecard")))

    async def press_one(pilot: Pilot[object]) -> None:
        await pilot.app.push_screen(Broken(LongText("title", ["text"])))
        pilot.app.post_message(Key("x", "x"))

    app.run(headless=True, auto_pilot=press_one)

    assert isinstance(app.failure, RuntimeError)
    assert "token" not in "".join(capfd.readouterr())


def test_the_review_of_a_shared_screen_is_of_the_seat_that_is_chosen_and_shown_as_it_is_written() -> None:
    table = open_table(spec_of("ecard", people=(1, 2)))

    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, *["enter", "c", "enter"] * 2, "escape", "down", "enter", "down", "enter", "v")
        assert "Whose review?" in screen_text(pilot)
        await press(pilot, "down", "enter")
        await until(pilot, "Review of Seat 2")
        await settle(pilot)
        record = table.record()
        assert record is not None
        lines = [f"  {line}".rstrip() for line in review_text(record, 2, Words(), 76)]
        assert screen_text(pilot).splitlines()[2:23] == lines[:21]

    at(app_of(table), play)


@pytest.mark.parametrize("opening", ["w", "escape"])
def test_two_closing_keys_in_one_read_close_one_page(opening: str) -> None:
    app = app_of(open_table(spec_of("ecard")))

    async def look(pilot: Pilot[str]) -> None:
        table = pilot.app.screen
        await press(pilot, opening)
        assert pilot.app.screen is not table
        for _ in range(2):
            pilot.app.post_message(Key("escape", "\x1b"))
        await settle(pilot)
        assert pilot.app.screen is table

    at(app, look)
