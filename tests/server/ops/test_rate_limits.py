from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from ipaddress import IPv6Address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.protocol.errors import TooMany
from facedown.server.ids import new_id
from facedown.server.ops.rate_limits import (
    AddressCounter,
    Limits,
    Rate,
    TokenBucket,
    TokenBuckets,
    address_key,
)
from facedown.server.settings import Settings

USUAL = Settings(data=Path("unused")).caps


class Watch:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_hundred_commands_at_once_and_then_five_a_second() -> None:
    watch = Watch()
    limits = Limits(USUAL, clock=watch)
    for _ in range(100):
        limits.command("T", 1, "ann")
    with pytest.raises(TooMany) as refused:
        limits.command("T", 1, "ann")
    assert refused.value.again == 201  # a fifth of a second, rounded up
    limits.command("T", 2, "bob")  # another seat is another matter
    limits.command("U", 1, "ann")
    watch.now += 0.2
    limits.command("T", 1, "ann")
    with pytest.raises(TooMany):
        limits.command("T", 1, "ann")


def test_spectators_are_told_apart() -> None:
    limits = Limits(replace(USUAL, chat=Rate(1, 10)), Watch())
    limits.chat("T", 0, "cyd", preset=False)
    limits.chat("T", 0, "dan", preset=False)
    with pytest.raises(TooMany, match="at most 1 in 10 s"):
        limits.chat("T", 0, "cyd", preset=False)


def test_who_has_talked_too_much_can_still_say_thanks() -> None:
    limits = Limits(USUAL, clock=Watch())
    for _ in range(5):
        limits.chat("T", 1, "ann", preset=False)
    with pytest.raises(TooMany):
        limits.chat("T", 1, "ann", preset=False)
    limits.chat("T", 1, "ann", preset=True)


def test_new_tables_are_counted_by_person_and_by_address() -> None:
    limits = Limits(replace(USUAL, tables=Rate(2, 60)), Watch())
    limits.new_table("ann", "192.0.2.1")
    limits.new_table("ann", "192.0.2.2")
    with pytest.raises(TooMany):
        limits.new_table("ann", "192.0.2.3")
    limits.new_table("bob", "192.0.2.1")
    with pytest.raises(TooMany):
        limits.new_table("cyd", "192.0.2.1")


def test_guests_and_guesses_are_counted_by_address() -> None:
    limits = Limits(replace(USUAL, people=Rate(1, 60), guesses=Rate(1, 60)), Watch())
    limits.new_guest("2001:db8:1:2::1")
    limits.wrong_token("2001:db8:1:2::1")
    with pytest.raises(TooMany):
        limits.new_guest("2001:db8:1:2::2")  # the same household
    with pytest.raises(TooMany):
        limits.wrong_token("2001:db8:1:2::3")
    limits.new_guest("2001:db8:1:3::1")


def subnet(number: int, bits: int) -> str:
    """An address in the network of this number, of those with so many bits in 2001:db8:7::/48."""
    return str(IPv6Address((0x20010DB80007 << 80) + (number << (128 - bits)) + 1))


def taken_from(limits: Limits, addresses: Iterable[str]) -> int:
    """How many of these addresses get a guest before one is refused."""
    for count, address in enumerate(addresses):
        try:
            limits.new_guest(address)
        except TooMany:
            return count
    raise AssertionError("none was refused")


def test_a_subscriber_with_many_networks_is_limited_as_a_whole() -> None:
    for bits, most in ((64, 10), (56, 20), (48, 80)):
        limits = Limits(replace(USUAL, people=Rate(10, 60)), Watch())
        addresses = {
            64: [subnet(0, 64)] * 1000,
            56: [subnet(number, 64) for number in range(256)],
            48: [subnet(number, 56) for number in range(256)],
        }
        assert taken_from(limits, addresses[bits]) == most
        limits.new_guest("2001:db8:8::1")
        limits.new_guest("192.0.2.1")


def test_refused_guests_of_one_network_cost_its_neighbours_nothing() -> None:
    limits = Limits(replace(USUAL, people=Rate(10, 60)), Watch())
    for _ in range(1000):
        with suppress(TooMany):
            limits.new_guest(subnet(0, 64))
    for _ in range(10):
        limits.new_guest(subnet(1, 64))


def test_every_limit_of_an_address_holds_for_its_networks() -> None:
    limits = Limits(USUAL, Watch())
    many = [subnet(number, 64) for number in range(256)]
    assert any(limits.request(address, 900) for address in many)
    assert limits.pace_frames(many[0], 1) == 0
    assert any(limits.pace_frames(address, 100) for address in many)
    for count in (limits.wrong_token, limits.passkey, limits.keep_account, limits.search, limits.analysis):
        assert is_refused(count, many)
    assert is_refused(lambda address: limits.new_table(new_id(), address), many)
    assert is_refused(lambda address: limits.join(new_id(), address), many)


def is_refused(count: Callable[[str], None], addresses: Iterable[str]) -> bool:
    """Whether one of these addresses is refused in the end."""
    try:
        for address in addresses:
            count(address)
    except TooMany:
        return True
    return False


def test_connections_are_counted_for_their_networks() -> None:
    open_now = AddressCounter(2)
    many = [subnet(number, 64) for number in range(256)]
    assert sum(map(open_now.enter, many)) == 4
    assert open_now.enter(subnet(1, 56))
    for address in (*many[:4], subnet(1, 56)):
        open_now.leave(address)
    assert len(open_now) == 0


def test_a_watch_that_goes_backwards_gives_nothing_away() -> None:
    rate = Rate(2, 10)
    bucket = TokenBucket(rate, 100.0)
    assert bucket.take(rate, 100.0) == 0
    assert bucket.take(rate, 50.0) == 0
    assert bucket.take(rate, 50.0) == 5.0


def test_idle_buckets_are_forgotten() -> None:
    buckets = TokenBuckets(Rate(5, 10))
    for key in range(1000):
        buckets.take(key, 0.0)
    assert len(buckets) == 1000
    for step in range(600):
        buckets.take("late", 10.0 + step)
    assert len(buckets) == 1


def test_there_are_never_more_buckets_than_the_cap() -> None:
    buckets = TokenBuckets(Rate(5, 10), most=100)
    for key in range(1000):
        buckets.take(key, 0.0)
        assert len(buckets) <= 100


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3000)), max_size=120))
def test_forgetting_changes_no_answer(steps: list[tuple[int, int]]) -> None:
    rate = Rate(3, 2.0)
    buckets = TokenBuckets(rate)
    kept: dict[int, TokenBucket] = {}
    now = 0.0
    for key, wait in steps:
        now += wait / 1000
        expected = kept.setdefault(key, TokenBucket(rate, now)).take(rate, now)
        assert buckets.take(key, now) == pytest.approx(expected)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=300))
def test_no_window_holds_more_than_two_buckets_full(gaps: list[int]) -> None:
    rate = Rate(10, 1.0)
    bucket = TokenBucket(rate, 0.0)
    taken: list[float] = []
    now = 0.0
    for gap in gaps:
        now += gap / 1000
        if bucket.take(rate, now) == 0:
            taken.append(now)
    for start in taken:
        assert sum(start <= each < start + rate.seconds for each in taken) <= 2 * rate.count


def test_a_tally_forgets_whoever_has_left() -> None:
    tally = AddressCounter(2)
    assert tally.enter("a")
    assert tally.enter("a")
    assert not tally.enter("a")
    assert tally.enter("b")
    tally.leave("a")
    assert tally.enter("a")
    for address in ("a", "a", "b"):
        tally.leave(address)
    assert len(tally) == 0


@pytest.mark.parametrize("odd", ["", "unix", "x" * 500, "fe80::1%eth0", "1.2.3"])
def test_any_text_is_an_address(odd: str) -> None:
    assert len(address_key(odd)) <= 64
