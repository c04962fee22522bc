"""The conversation of the page on the protocol: one short game of E-Card, with a lost connection."""

from __future__ import annotations

from tests.server.conversation.playing import play, program
from tests.server.conversation.talking import Conversation


async def shown(talk: Conversation) -> None:
    """Two programs; Ann's connection is lost while Bo seals, and she goes on where she was."""
    ann, bo = await program(talk, "Ann"), await program(talk, "Bo")
    order = {
        "game": "ecard",
        "rules": "decisive(rounds=1,group=1,tie=draw)",
        "seats": [{"kind": "person"}, {"kind": "person"}],
    }
    made = await ann.call("POST", "/tables", order, Idempotency_Key="my-first-table")
    await ann.join(made["table"], 1)
    await bo.call("GET", f"/invites/{made['invite']}")
    await bo.join(made["table"], 2, made["invite"])
    await ann.connect()
    await bo.connect()
    await ann.open()
    await bo.open()
    await ann.do("no-such-card", "pick", **ann.sealed(1, "K"))
    await ann.pick("C", "first-pick")
    await ann.pick("C", "first-pick")
    lost = ann.here
    await talk.hang_up(lost)
    await bo.pick("C")
    await ann.connect(v=lost.v, as_who="Ann, back at the table")
    await play([ann, bo])
    await ann.call("GET", f"/tables/{made['table']}/record")
