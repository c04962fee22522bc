"""Who fits whom: the choice of a group from the people who wait; and what becomes of a table in time."""

from __future__ import annotations

import asyncio
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Clock
from facedown.protocol.pairing import NewTicket
from facedown.server import pairing as pairing_module
from facedown.server.pairing import (
    AGAIN_MS,
    ANYONE_MS,
    FADES_MS,
    FULL_MS,
    SLOW_MS,
    Pairing,
    choose_group,
    conduct_of,
    may_meet,
    window,
)
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.store.tickets import Ticket
from facedown.server.store.values import Fault

NOW = 1_000_000


def waits(
    person: str,
    rating: int = 1500,
    *,
    waited: int = 0,
    seats: tuple[int, int] = (2, 2),
    met: str = "",
    error: int = 50,
    slow: bool = False,
) -> Ticket:
    return Ticket(person, person.title(), "pool", *seats, rating, error, NOW - waited, met, slow=slow)


def names(group: tuple[Ticket, ...]) -> set[str]:
    return {each.person for each in group}


def test_the_nearest_person_inside_both_windows_is_chosen() -> None:
    ann = waits("ann", 1500)
    others = [waits("far", 1680), waits("near", 1590), waits("nearer", 1460)]
    assert names(choose_group(ann, others, frozenset(), NOW)) == {"ann", "nearer"}
    assert choose_group(ann, [waits("strong", 1900)], frozenset(), NOW) == ()


def test_windows_widen_until_anyone_will_do() -> None:
    strong = waits("strong", 1900, waited=ANYONE_MS)
    assert choose_group(waits("ann"), [strong], frozenset(), NOW) == ()
    assert names(choose_group(waits("ann", waited=ANYONE_MS), [strong], frozenset(), NOW)) == {
        "ann",
        "strong",
    }


def test_a_block_keeps_two_apart_both_ways() -> None:
    ann, ben = waits("ann"), waits("ben")
    for block in (("ann", "ben"), ("ben", "ann")):
        assert choose_group(ann, [ben], frozenset({block}), NOW) == ()
        assert names(choose_group(ann, [ben, waits("cleo", 1600)], frozenset({block}), NOW)) == {
            "ann",
            "cleo",
        }


def test_the_last_opponent_comes_again_only_after_a_while() -> None:
    for waited, expected in ((AGAIN_MS - 1, set[str]()), (AGAIN_MS, {"ann", "ben"})):
        ann, ben = waits("ann", met="T", waited=waited), waits("ben", met="T", waited=AGAIN_MS)
        assert names(choose_group(ann, [ben], frozenset(), NOW)) == expected
    assert may_meet(waits("ann"), waits("ben"), frozenset(), NOW), "two who have met nobody may meet"


def test_who_made_others_wait_meets_their_like_at_once_and_all_others_later() -> None:
    late = waits("late", 1510, slow=True)
    assert choose_group(waits("ann"), [late], frozenset(), NOW) == ()
    assert names(choose_group(waits("ann"), [late, waits("ben", 1590)], frozenset(), NOW)) == {"ann", "ben"}
    assert names(choose_group(waits("ann", slow=True), [late], frozenset(), NOW)) == {"ann", "late"}
    patient = waits("late", 1510, slow=True, waited=SLOW_MS)
    assert names(choose_group(waits("ann"), [patient], frozenset(), NOW)) == {"ann", "late"}


MINUTE = 60_000
FAULTS = st.lists(st.integers(0, 2 * FADES_MS), max_size=6).map(
    lambda times: [Fault("ann", at, f"T{at}", "left") for at in sorted(times)]
)
LEVELS = ("fine", "notice", "slow", "paused")


@given(FAULTS, st.lists(st.integers(0, 2 * FADES_MS), max_size=9), st.integers(0, 2 * FADES_MS))
def test_conduct_is_never_worse_for_less(faults: list[Fault], finished: list[int], at: int) -> None:
    """A fault less, a finished game more, or a later time never makes it worse."""
    faults = [each for each in faults if each.at <= at]
    level = LEVELS.index(conduct_of(faults, finished, at).level)
    assert LEVELS.index(conduct_of(faults[:-1], finished, at).level) <= level
    assert LEVELS.index(conduct_of(faults, [*finished, at + 1], at + 1).level) <= level
    assert conduct_of(faults, finished, at + FADES_MS + 1).level == "fine"
    assert conduct_of([], finished, at).faults == ()


def test_a_pause_ends_after_ten_minutes_and_finished_games_take_faults_back() -> None:
    left = [Fault("ann", minute * MINUTE, f"T{minute}", "left") for minute in (0, 30, 60)]
    assert conduct_of(left, (), 61 * MINUTE).level == "paused"
    assert conduct_of(left, (), 61 * MINUTE).until == 70 * MINUTE
    assert conduct_of(left, (), 70 * MINUTE).level == "slow"
    played = [minute * MINUTE for minute in (61, 62, 63)]
    assert [each.table for each in conduct_of(left, played, 64 * MINUTE).faults] == ["T30", "T60"]
    assert conduct_of(left, (), FADES_MS + 1).level == "slow"
    assert conduct_of(left[:1], (), MINUTE).until == FADES_MS


def test_a_full_table_is_waited_for_and_then_fewer_seats_will_do() -> None:
    two, three = [waits("ben", seats=(2, 3))], [waits("ben", seats=(2, 3)), waits("cleo", seats=(2, 7))]
    ann = waits("ann", seats=(2, 7))
    assert choose_group(ann, two, frozenset(), NOW) == ()
    assert names(choose_group(ann, three, frozenset(), NOW)) == {"ann", "ben", "cleo"}
    patient = waits("ann", seats=(2, 7), waited=FULL_MS)
    assert names(choose_group(patient, two, frozenset(), NOW)) == {"ann", "ben"}


def test_two_who_do_not_want_to_meet_do_not_keep_others_from_a_table() -> None:
    ann = waits("ann", seats=(3, 3))
    others = [
        waits(name, rating, seats=(3, 3)) for name, rating in (("ben", 1510), ("cy", 1520), ("di", 1530))
    ]
    assert names(choose_group(ann, others, frozenset({("ben", "cy")}), NOW)) == {"ann", "ben", "di"}


TICKETS = st.builds(
    lambda rating, waited, least, more, met, error: waits(
        "", rating, waited=waited, seats=(least, min(7, least + more)), met=met, error=error
    ),
    st.integers(1000, 2000),
    st.sampled_from((0, 4_000, FULL_MS, AGAIN_MS, ANYONE_MS)),
    st.integers(2, 4),
    st.integers(0, 3),
    st.sampled_from(("", "T", "U")),
    st.integers(0, 400),
)
CROWDS = st.lists(TICKETS, min_size=1, max_size=7).map(
    lambda crowd: [each._replace(person=f"p{number}") for number, each in enumerate(crowd)]
)
BLOCKS = st.frozensets(st.tuples(st.sampled_from([f"p{n}" for n in range(7)]), st.just("p1")), max_size=2)


def is_wanted(group: tuple[Ticket, ...], blocks: frozenset[tuple[str, str]]) -> bool:
    """Whether every person of a group wants it, said slowly."""
    spread = max(each.rating for each in group) - min(each.rating for each in group)
    return (
        all(each.least <= len(group) <= each.most for each in group)
        and all(spread <= window(each, NOW) for each in group)
        and all(may_meet(one, other, blocks, NOW) for one, other in combinations(group, 2))
    )


@given(CROWDS, BLOCKS)
def test_every_person_of_a_chosen_group_wants_it(
    crowd: list[Ticket], blocks: frozenset[tuple[str, str]]
) -> None:
    own, *others = crowd
    group = choose_group(own, others, blocks, NOW)
    if group:
        assert own in group
        assert len(set(group)) == len(group)
        assert is_wanted(group, blocks)


@given(CROWDS)
def test_no_group_of_as_many_seats_is_tighter(crowd: list[Ticket]) -> None:
    own, *others = [each._replace(met="", since=NOW - FULL_MS) for each in crowd]
    group = choose_group(own, others, frozenset(), NOW)
    spread = {
        each: each[-1] - each[0]
        for count in range(1, len(others) + 1)
        for chosen in combinations(others, count)
        if is_wanted(whole := (own, *chosen), frozenset())
        for each in [tuple(sorted(ticket.rating for ticket in whole))]
    }
    alone = [each for each in spread if len(each) == max(map(len, spread), default=0)]
    if all(each.most == own.most and each.least == own.least for each in others):
        assert len(group) == max(map(len, spread), default=0)
        ratings = sorted(each.rating for each in group)
        assert not group or ratings[-1] - ratings[0] == min(spread[each] for each in alone)


# --- in time ---------------------------------------------------------------------------------------------


def test_a_server_closes_a_table_whose_people_do_not_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one who sat down is next in line, and the one who did not begins again."""
    monkeypatch.setattr(pairing_module, "SEATING_MS", 300)

    async def main() -> None:
        services = open_services(Settings(data=tmp_path / "data"))
        await services.start()
        try:
            pairing, wanted = Pairing(services.store, services.tables), NewTicket("ecard", Clock("decision"))
            ann, _ = await services.people.guest("Ann", "program")
            bob, _ = await services.people.guest("Bob", "program")
            first = await pairing.put(ann, wanted)
            await pairing.put(bob, wanted)
            found = await pairing.put(ann, wanted)
            assert found.table
            assert found.seat
            table = await services.tables.get(found.table)
            await table.join(found.seat, ann, entropy_commitment(table.id, found.seat, bytes(32)).hex())
            while table.phase != "closed":
                await asyncio.sleep(0.01)
            again, late = await pairing.put(ann, wanted), await pairing.put(bob, wanted)
            assert (again.state, again.since) == ("waiting", first.since)
            assert (late.state, late.since > first.since) == ("waiting", True)
            assert late.conduct
            assert [each.kind for each in late.conduct.faults] == ["absent"]
            assert not again.conduct, "the one who came is not blamed"
        finally:
            await services.close()

    asyncio.run(main())
