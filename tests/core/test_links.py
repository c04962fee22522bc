"""The bytes and the order of links: what the vectors say, here and in every other client.

The vectors are frozen: they are the protocol. Only the views in `due` follow the games, and
`python -m tests.core.test_links` writes these again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from facedown.client.decode import read_view
from facedown.core import registry
from facedown.core.chain import Chain, LinkRefused
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
    UnreadableLink,
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

FILE: Final = Path(__file__).parents[1] / "vectors/links.json"
VECTORS: Final = json.loads(FILE.read_text(encoding="utf-8"))
BYTES: Final = VECTORS["bytes"]
PRIVATE: Final = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(BYTES["private_key"]))


def folded(links: list[Any]) -> Chain:
    chain = Chain()
    for each in links:
        chain.add(read_link(each))
    return chain


def test_the_fields_of_each_kind_of_link_are_the_vectors() -> None:
    assert {kind: [[name, form.name] for name, form in each.items()] for kind, each in KINDS.items()} == (
        VECTORS["kinds"]
    )


def test_commitments_keys_and_digests_are_the_vectors() -> None:
    table, seed, head = BYTES["table"], bytes.fromhex(BYTES["seed"]), bytes.fromhex(BYTES["decision_head"])
    shares = [bytes.fromhex(each) for each in BYTES["entropy"]]
    key = table_key(seed, table, bytes.fromhex(BYTES["full"]), shares)
    pick = BYTES["pick"]
    commit = pick_commitment(
        table, pick["decision"], pick["seat"], head, pick["pick"], bytes.fromhex(pick["nonce"])
    )
    machine, clock = machine_stream(key, 3, 2), clock_stream(key, 3, 2)
    public = PRIVATE.public_key().public_bytes_raw()
    rotation = rotation_digest("https://play.example", bytes(32), public, BYTES["rotation_at"])
    found = {
        "seed_commit": seed_commitment(table, seed).hex(),
        "entropy_commit": [entropy_commitment(table, seat, own).hex() for seat, own in enumerate(shares, 1)],
        "table_key": key.hex(),
        "pick_commit": commit.hex(),
        "pick_commit_words": spoken_words(commit),
        "machine_nonce_3_2": table_nonce(key, "machine", 3, 2).hex(),
        "clock_nonce_3_2": table_nonce(key, "clock", 3, 2).hex(),
        "machine_stream_3_2_below_10": [machine.below(10) for _ in range(5)],
        "clock_stream_3_2_below_10": [clock.below(10) for _ in range(5)],
        "public_key": public.hex(),
        "head_digest_5": head_digest(table, 5, head).hex(),
        "head_signature_5": encode_signature(PRIVATE.sign(head_digest(table, 5, head))),
        "rotation_digest": rotation.hex(),
        "record_digest": signed_digest(BYTES["record"]).hex(),
        "game_digest": game_digest(BYTES["record"]).hex(),
        "leaf": {"kind": "table", "digest": head.hex(), "bytes": leaf_of_log("table", table, head).hex()},
    }
    given = {
        "table",
        "seed",
        "entropy",
        "full",
        "decision_head",
        "pick",
        "private_key",
        "rotation_at",
        "record",
    }

    assert found == {name: value for name, value in BYTES.items() if name not in given}


@pytest.mark.parametrize("name", VECTORS["chains"])
def test_a_table_folds_to_the_heads_and_the_signature_of_the_vectors(name: str) -> None:
    kept, chain = VECTORS["chains"][name], Chain()

    assert [chain.add(read_link(each)).hex() for each in kept["links"]] == kept["heads"]
    assert json.loads(json.dumps([read_link(each).plain() for each in kept["links"]])) == kept["links"]
    digest = head_digest(chain.table, chain.number, chain.head)
    assert encode_signature(PRIVATE.sign(digest)) == kept["signature"]


@pytest.mark.parametrize("each", VECTORS["refused"], ids=lambda each: each["say"])
def test_a_link_is_refused_where_it_is_not_allowed(each: dict[str, Any]) -> None:
    chain = folded(VECTORS["chains"][each["chain"]]["links"][: each["after"]])

    with pytest.raises(LinkRefused) as refused:
        chain.add(read_link(each["link"]))
    assert refused.value.alarm == each["alarm"]


@pytest.mark.parametrize("value", VECTORS["unreadable"], ids=str)
def test_what_is_no_link_is_not_read(value: Any) -> None:
    with pytest.raises(UnreadableLink):
        read_link(value)


# --- who is due ------------------------------------------------------------------------------------------


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


def test_due_lists_follow_from_what_is_public() -> None:
    assert json.loads(json.dumps(list(due_lists()))) == VECTORS["due"]
    for each in VECTORS["due"]:
        game = registry.get(each["game"])
        view = read_view(game, {**each["view"], "waiting": []})
        assert [list(wave) for wave in game.due(view)] == each["due"]


if __name__ == "__main__":
    text = json.dumps({**VECTORS, "due": list(due_lists())}, indent=1, ensure_ascii=False)
    FILE.write_text(text + "\n", encoding="utf-8")
