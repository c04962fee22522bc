"""SQL of the public log: entries get their numbers, and the full subtrees of its Merkle tree are saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from facedown.core.merkle import Span, Subtree, completed_nodes
from facedown.server.store.steps import Many, Steps

LOCK: Final = 0x46414347
"""The advisory lock of the server that numbers the entries."""
UNNUMBERED: Final = "select id, hash from log_entries where n is null order by id limit $1"
SIZE: Final = "select coalesce(max(n), -1) + 1 from log_entries"
_HASH: Final = "select hash from log_nodes where level = $1 and place = $2"
_NUMBER: Final = "update log_entries set n = $2 where id = $1"
_ADD_NODE: Final = "insert into log_nodes (level, place, hash) values ($1, $2, $3)"


def number_entries(limit: int) -> Steps[int]:
    """Number entries, and save the subtrees that they complete; how many these were."""
    entries = yield UNNUMBERED, (limit,)
    ((size,),) = yield SIZE, ()
    at_edge: dict[Subtree, bytes] = {}
    for node in Span(0, size).nodes():  # the full subtrees that the next entries are joined to
        ((at_edge[node],),) = yield _HASH, node
    yield Many(_NUMBER, [(entry, number) for number, (entry, _) in enumerate(entries, size)])
    yield Many(_ADD_NODE, new_nodes(size, [leaf for _, leaf in entries], at_edge))
    return len(entries)


def new_nodes(
    size: int, leaves: Sequence[bytes], at_edge: Mapping[Subtree, bytes]
) -> list[tuple[int, int, bytes]]:
    """The rows of all subtrees that become full with these leaves."""
    known = dict(at_edge)
    for number, leaf in enumerate(leaves, size):
        known |= dict(completed_nodes(number, leaf, known.__getitem__))
    return [(*node, found) for node, found in known.items() if node not in at_edge]
