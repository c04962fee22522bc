"""Vectors of the fairness protocol for every client: bytes, chains of links, refused links, due lists.

    python -m tests.core.link_vectors > tests/vectors/links.json

The browser's tests read the same file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from facedown.core import registry
from facedown.core.chain import Chain
from facedown.core.chance import (
    LOCAL,
    Seeded,
    clock_stream,
    deal_key,
    entropy_commitment,
    machine_stream,
    pick_commitment,
    seed_commitment,
    seed_of,
    table_key,
    table_nonce,
)
from facedown.core.links import (
    KINDS,
    ChainSetup,
    ClockSetup,
    Link,
    head_digest,
    leaf_of_log,
    read_link,
    rotation_digest,
    spoken_words,
)
from facedown.core.match import Match
from facedown.core.record import game_digest, signed_digest
from facedown.core.views import plain
from facedown.proof.signatures import encode_signature

TABLE: Final = "01J8Z3K4M5N6P7Q8R9S0T1V2W3"
SEED: Final = bytes(range(32))
PRIVATE: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY: Final = PRIVATE.public_key().public_bytes_raw().hex()
T0: Final = 1_700_000_000_000
UNTIMED: Final = ClockSetup()
TIMED: Final = ClockSetup("decision", 30, 3, 10, grace=4)
WAITING: Final = ClockSetup("decision", 30, 3, 10, grace=4, ready=60)


def entropy(seat: int, attempt: int = 0) -> bytes:
    return bytes([0xA0 + seat + 16 * attempt]) * 32


def nonce(decision: int, seat: int) -> bytes:
    return bytes([decision, seat] * 16)


class Scene:
    """A chain that is being made: each method adds one link, a second later."""

    def __init__(self, *machines: str, clock: ClockSetup = UNTIMED, seal: str = "server") -> None:
        self.chain = Chain()
        self.links: list[Link] = []
        self.heads: list[str] = []
        self.at = T0
        setup = ChainSetup(
            game="davenport" if len(machines) > 2 else "ecard",
            version=1,
            rules="davenport" if len(machines) > 2 else "decisive",
            seats=machines,
            clock=clock,
            substitute="careful",
            seal=seal,
            software="facedown 1.0.0",
            origin="https://play.example",
        )
        self.add("made", TABLE, KEY, setup.plain(), seed_commitment(TABLE, SEED).hex())

    def add(self, kind: str, *fields: Any, wait: int = 1000) -> Scene:
        self.at += wait
        link = read_link([kind, self.at, *fields])
        self.heads.append(self.chain.add(link).hex())
        self.links.append(link)
        return self

    def sit(self, *seats: int, attempt: int = 0) -> Scene:
        for seat in seats:
            self.add("sat", seat, entropy_commitment(TABLE, seat, entropy(seat, attempt)).hex())
        return self

    def open(self, *seats: int, attempt: int = 0) -> Scene:
        for seat in seats:
            self.add("opened", seat, entropy(seat, attempt).hex())
        return self

    def deal(self, *due: list[int]) -> Scene:
        seats = self.chain.people
        return self.sit(*seats).add("full").open(*seats).add("dealt", list(due))

    def commit(self, seat: int, pick: str = "C") -> str:
        decision = self.chain.decision
        made = pick_commitment(TABLE, decision, seat, self.chain.decision_head, pick, nonce(decision, seat))
        return made.hex()

    def seal(self, *seats: int, placer: str = "person", wait: int = 1000) -> Scene:
        for seat in seats:
            self.add("sealed", self.chain.decision, seat, placer, self.commit(seat), wait=wait)
        return self

    def promise(self, seat: int, machine: str = "careful") -> Scene:
        return self.add("promised", self.chain.decision, seat, machine, self.commit(seat))

    def show(self, *seats: int) -> Scene:
        for seat in seats:
            self.add("shown", self.chain.decision, seat)
        return self

    def reveal(self, *due: list[int], forfeited: tuple[int, ...] = (), wait: int = 1000) -> Scene:
        return self.add("revealed", self.chain.decision, list(forfeited), list(due), wait=wait)

    def over(self) -> Scene:
        result = {"winner": 1, "termination": "completed", "score": [2, 1], "replaced": []}
        return self.add("over", result, SEED.hex())


def chains() -> dict[str, Scene]:
    """Whole tables, each of them allowed from its first link to its last."""
    return {
        "ordinary": Scene("", "").deal([1], [2]).seal(1, 2).reveal([2], [1]).seal(2, 1).reveal().over(),
        "machine first": (
            Scene("", "careful").deal([1, 2]).promise(2).seal(1).seal(2, placer="machine").reveal([1, 2])
        ),
        "clock": (
            Scene("", "", clock=TIMED)
            .deal([1, 2])
            .seal(1)
            .seal(2, placer="clock", wait=40_000)
            .reveal([1, 2])
        ),
        "bank": (
            Scene("", "", clock=TIMED)
            .deal([1, 2])
            .seal(1, wait=35_000)  # five of its ten seconds are left
            .seal(2)
            .reveal([1, 2])
            .seal(2)
            .seal(1, placer="clock", wait=38_000)  # four seconds to read the result
            .reveal([1, 2])
        ),
        "outage": (
            Scene("", "", clock=TIMED)
            .deal([1, 2])
            .seal(1)
            .add("outage", 60_000)
            .seal(2, placer="clock", wait=98_000)
        ),
        "ready": (
            Scene("", "", clock=WAITING)
            .deal([1, 2])
            .add("ready", 2, wait=5_000)
            .add("ready", 1, wait=5_000)
            .seal(1)
            .seal(2, placer="clock", wait=39_000)
            .reveal([1, 2])
        ),
        "not ready": (
            Scene("", "", clock=WAITING)
            .deal([1], [2])
            .seal(1)  # ready, then
            .add("outage", 20_000)
            .seal(2, placer="clock", wait=118_000)
        ),
        "blind": Scene("", "", clock=TIMED, seal="blind").deal([1, 2]).seal(2, 1).show(1, 2).reveal([1, 2]),
        "forfeit": (
            Scene("", "", clock=TIMED, seal="blind")
            .deal([1, 2])
            .seal(1, 2)
            .show(1)
            .reveal([1, 2], forfeited=(2,), wait=60_000)
        ),
        "void": (
            Scene("", "")
            .sit(1, 2)
            .add("full")
            .open(1)
            .add("void", [2], wait=60_000)
            .sit(2, 1, attempt=1)
            .add("full")
            .open(1, 2, attempt=1)
            .add("dealt", [[1, 2]])
        ),
        "host": (
            Scene("", "", "")
            .sit(1, 2)
            .add("freed", 2)
            .add("filled", 2, "careful")
            .add("dropped", 2)
            .add("full")
            .open(1)
            .add("dealt", [[1, 2]])
        ),
        "replaced": (
            Scene("", "", "")
            .deal([1, 2, 3])
            .seal(1)
            .add("replaced", 1, 2, "careful")
            .promise(2)
            .seal(3)
            .seal(2, placer="machine")
            .reveal([1, 2, 3])
            .add("reclaimed", 2, 2)
            .seal(1, 2)
            .add("replaced", 3, 1, "careful")
        ),
        "resigned": Scene("", "", "")
        .deal([1, 2, 3])
        .seal(1)
        .add("resigned", 1, 3, [[1, 2]])
        .seal(2, 1)
        .reveal(),
        "closed": Scene("", "").sit(1).add("closed", "closed by the host"),
    }


def refused(scenes: dict[str, Scene]) -> list[tuple[str, str, int, list[Any]]]:
    """Links that are not allowed: what is wrong, the chain, how many of its links come before, the link."""
    seal, at = "5e" * 32, T0 + 10_000_000
    clocked = ["clock", seal]
    begun = {
        name: scenes[name].links[place].at
        for name, place in (("clock", 6), ("bank", 9), ("outage", 6), ("ready", 8), ("not ready", 6))
    }
    sealed = scenes["forfeit"].links[8].at
    opened = entropy(1).hex()
    return [
        ("a second table", "ordinary", 1, scenes["ordinary"].links[0].plain()),
        ("no table", "ordinary", 0, ["full", at]),
        ("a seat twice", "ordinary", 2, ["sat", at, 1, seal]),
        ("a seat that is not there", "ordinary", 1, ["sat", at, 3, seal]),
        ("a person on a machine's seat", "machine first", 1, ["sat", at, 2, seal]),
        ("a machine on a taken seat", "ordinary", 2, ["filled", at, 1, "careful"]),
        ("a taken seat dropped", "ordinary", 3, ["dropped", at, 1]),
        ("a free seat freed", "ordinary", 1, ["freed", at, 1]),
        ("full with a free seat", "ordinary", 2, ["full", at]),
        ("full without a fresh promise", "void", 6, ["full", at]),
        ("a seat after full", "ordinary", 4, ["freed", at, 2]),
        ("a promise exchanged after full", "ordinary", 4, ["sat", at, 2, seal]),
        ("another number than promised", "ordinary", 4, ["opened", at, 1, entropy(2).hex()]),
        ("a number before full", "ordinary", 3, ["opened", at, 1, opened]),
        ("a number twice", "ordinary", 5, ["opened", at, 1, opened]),
        ("dealt without a number", "ordinary", 5, ["dealt", at, [[1, 2]]]),
        ("dealt before full", "ordinary", 3, ["dealt", at, [[1, 2]]]),
        ("dealt twice", "ordinary", 7, ["dealt", at, [[1, 2]]]),
        ("void too early", "void", 5, ["void", scenes["void"].links[3].at + 59_999, [2]]),
        ("void of another seat", "void", 5, ["void", at, [1, 2]]),
        ("void after the deal", "ordinary", 7, ["void", at, [2]]),
        ("due without such a seat", "ordinary", 6, ["dealt", at, [[1, 3]]]),
        ("a seal out of turn", "ordinary", 7, ["sealed", at, 1, 2, "person", seal]),
        ("a second seal", "ordinary", 8, ["sealed", at, 1, 1, "person", seal]),
        ("a second seal, the clock's", "clock", 9, ["sealed", at, 1, 2, "clock", seal]),
        ("a seal of another decision", "ordinary", 7, ["sealed", at, 2, 1, "person", seal]),
        ("a clock at a table without one", "ordinary", 7, ["sealed", at, 1, 1, "clock", seal]),
        ("a clock too early", "clock", 8, ["sealed", begun["clock"] + 39_999, 1, 2, *clocked]),
        ("a bank spent twice, or no grace", "bank", 11, ["sealed", begun["bank"] + 38_999, 2, 1, *clocked]),
        ("a clock within an outage", "outage", 9, ["sealed", begun["outage"] + 99_999, 1, 2, *clocked]),
        ("a clock before all are ready", "ready", 8, ["sealed", begun["ready"] + 49_000, 1, 1, *clocked]),
        ("a clock too early for all", "ready", 10, ["sealed", begun["ready"] + 39_999, 1, 2, *clocked]),
        ("a clock that must wait", "not ready", 9, ["sealed", begun["not ready"] + 119_999, 1, 2, *clocked]),
        ("ready twice", "ready", 8, ["ready", at, 2]),
        ("ready after a seal", "not ready", 8, ["ready", at, 1]),
        ("ready in the second decision", "ready", 12, ["ready", at, 1]),
        ("ready before the deal", "ready", 6, ["ready", at, 1]),
        ("ready where no clock waits", "clock", 7, ["ready", at, 1]),
        ("a machine's pick for a person", "ordinary", 7, ["sealed", at, 1, 1, "machine", seal]),
        ("a person's pick for a machine", "machine first", 7, ["sealed", at, 1, 2, "person", seal]),
        ("nobody's pick", "ordinary", 7, ["sealed", at, 1, 1, "server", seal]),
        ("another pick than a machine promised", "machine first", 7, ["sealed", at, 1, 2, "machine", seal]),
        ("a person before the machine is bound", "machine first", 5, ["sealed", at, 1, 1, "person", seal]),
        ("a machine's second promise", "machine first", 6, ["promised", at, 1, 2, "careful", seal]),
        ("a promise of another machine", "machine first", 5, ["promised", at, 1, 2, "expert", seal]),
        ("a person before a replacement is bound", "replaced", 11, ["sealed", at, 1, 3, "person", seal]),
        ("turned before all have sealed", "ordinary", 8, ["revealed", at, 1, [], [[1, 2]]]),
        ("turned before all have opened", "blind", 10, ["revealed", at, 1, [], [[1, 2]]]),
        ("a forfeit too early", "forfeit", 10, ["revealed", sealed + 59_999, 1, [2], [[1, 2]]]),
        ("a forfeit of one who opened", "blind", 11, ["revealed", at, 1, [1], [[1, 2]]]),
        ("a forfeit where nothing is opened", "ordinary", 9, ["revealed", at, 1, [1], [[1, 2]]]),
        ("an opening at an ordinary table", "ordinary", 9, ["shown", at, 1, 1]),
        ("an opening before all have sealed", "blind", 8, ["shown", at, 1, 2]),
        ("an opening twice", "blind", 10, ["shown", at, 1, 1]),
        ("a resignation while picks are opened", "blind", 9, ["resigned", at, 1, 1, []]),
        ("a resignation in another decision", "ordinary", 7, ["resigned", at, 2, 1, []]),
        ("a machine in place of a machine", "machine first", 5, ["replaced", at, 1, 2, "careful"]),
        ("replaced although sealed", "ordinary", 8, ["replaced", at, 1, 1, "careful"]),
        ("taken back by a machine", "machine first", 5, ["reclaimed", at, 1, 2]),
        ("over although seats are due", "ordinary", 9, scenes["ordinary"].links[-1].plain()),
        ("over with another seed", "ordinary", 13, ["over", at, {"winner": None}, "00" * 32]),
        ("a pick after the last decision", "ordinary", 13, ["sealed", at, 3, 1, "person", seal]),
        ("a link after the end", "ordinary", 14, ["closed", at, "late"]),
        ("a link after it was closed", "closed", 3, ["full", at]),
    ]  # fmt: skip


UNREADABLE: Final[list[Any]] = [
    [],
    ["full"],
    {"kind": "full"},
    ["full", -1],
    ["full", True],
    ["full", 1.5],
    ["full", 1, 1],
    ["strange", 1],
    ["freed", 1, 0],
    ["freed", 1, 100],
    ["freed", 1, "1"],
    ["freed", 1, True],
    ["sat", 1, 1, "00"],
    ["sat", 1, 1, "AB" * 32],
    ["dealt", 1, [1]],
    ["dealt", 1, [[1], [1]]],
    ["dealt", 1, [[]]],
    ["void", 1, [1, 1]],
    ["over", 1, {"score": [0.5]}, "00" * 32],
    ["over", 1, [], "00" * 32],
    ["outage", 1, -5],
    ["closed", 1, 5],
]


def signature(scene: Scene) -> str:
    chain = scene.chain
    return encode_signature(PRIVATE.sign(head_digest(TABLE, chain.number, chain.head)))


def due_lists() -> Iterator[dict[str, Any]]:
    """Views of games that are played at random, and who is due in each."""
    tables = [("ecard", name, 2) for name in ("classic", "victories", "decisive", "purse")]
    tables += [("davenport", "davenport", 3), ("davenport", "aces(placing=in_turn)", 4)]
    for name, rules, seats in tables:
        game = registry.get(name)
        match = Match(game, game.rules.read(rules), "abcd"[:seats], Seeded(deal_key(seed_of(rules), LOCAL)))
        chance = random.Random(rules)
        while match.outcome is None and match.decision < 40:
            viewer = match.decision % (seats + 1)
            if match.decision % 5 in (1, 2):
                yield _due(name, match, viewer)
            for wave in match.pending:
                for seat in wave:
                    match.seal(seat, chance.choice(match.legal(seat)))
        yield _due(name, match, 0)


def _due(name: str, match: Any, viewer: int) -> dict[str, Any]:
    return {"game": name, "view": plain(match.view(viewer)), "due": [list(wave) for wave in match.pending]}


def _bytes() -> dict[str, Any]:
    full, head = bytes([0xF0]) * 32, bytes([0xD0]) * 32
    shares = [entropy(1), entropy(2)]
    key = table_key(SEED, TABLE, full, shares)
    machine, clock = machine_stream(key, 3, 2), clock_stream(key, 3, 2)
    small: dict[str, Any] = {
        "format": "facedown/1",
        "seats": ["Ann", "Bo"],
        "fair": {"links": [], "sig": "s", "log": [1]},
        "signed": {},
    }
    return {
        "table": TABLE,
        "seed": SEED.hex(),
        "seed_commit": seed_commitment(TABLE, SEED).hex(),
        "entropy": [each.hex() for each in shares],
        "entropy_commit": [
            entropy_commitment(TABLE, seat, each).hex() for seat, each in enumerate(shares, 1)
        ],
        "full": full.hex(),
        "table_key": key.hex(),
        "decision_head": head.hex(),
        "pick": {"decision": 7, "seat": 1, "pick": "C", "nonce": "11" * 32},
        "pick_commit": pick_commitment(TABLE, 7, 1, head, "C", b"\x11" * 32).hex(),
        "pick_commit_words": spoken_words(pick_commitment(TABLE, 7, 1, head, "C", b"\x11" * 32)),
        "machine_nonce_3_2": table_nonce(key, "machine", 3, 2).hex(),
        "clock_nonce_3_2": table_nonce(key, "clock", 3, 2).hex(),
        "machine_stream_3_2_below_10": [machine.below(10) for _ in range(5)],
        "clock_stream_3_2_below_10": [clock.below(10) for _ in range(5)],
        "private_key": bytes(range(32)).hex(),
        "public_key": KEY,
        "head_digest_5": head_digest(TABLE, 5, head).hex(),
        "head_signature_5": encode_signature(PRIVATE.sign(head_digest(TABLE, 5, head))),
        "rotation_digest": rotation_digest("https://play.example", bytes(32), bytes.fromhex(KEY), T0).hex(),
        "rotation_at": T0,
        "record": small,
        "record_digest": signed_digest(small).hex(),
        "game_digest": game_digest(small).hex(),
        "leaf": {"kind": "table", "digest": head.hex(), "bytes": leaf_of_log("table", TABLE, head).hex()},
    }


def vectors() -> dict[str, Any]:
    """Everything, as it is in the file."""
    scenes = chains()
    return {
        "kinds": {kind: [[name, form.name] for name, form in each.items()] for kind, each in KINDS.items()},
        "bytes": _bytes(),
        "chains": {
            name: {
                "links": [link.plain() for link in scene.links],
                "heads": scene.heads,
                "signature": signature(scene),
            }
            for name, scene in scenes.items()
        },
        "refused": [_refused(scenes, *each) for each in refused(scenes)],
        "unreadable": UNREADABLE,
        "due": list(due_lists()),
    }


def _refused(scenes: dict[str, Scene], say: str, name: str, after: int, link: list[Any]) -> dict[str, Any]:
    return {
        "say": say,
        "chain": name,
        "after": after,
        "link": link,
        "alarm": alarm_of(scenes[name], after, link),
    }


def alarm_of(scene: Scene, after: int, link: list[Any]) -> str:
    """What a link raises after the first links of a scene; empty if it is allowed."""
    from facedown.core.chain import LinkRefused

    chain = Chain()
    for each in scene.links[:after]:
        chain.add(each)
    try:
        chain.add(read_link(link))
    except LinkRefused as error:
        return error.alarm
    return ""


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1, ensure_ascii=False))
