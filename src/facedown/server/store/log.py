"""SQL of the public log: entries get their numbers, and the full subtrees of its Merkle tree are saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from facedown.core.merkle import Span, Subtree, completed_nodes

UNNUMBERED: Final = "select id, hash from log_entries where n is null order by id limit $1"
SIZE: Final = "select coalesce(max(n), -1) + 1 from log_entries"
HASH: Final = "select hash from log_nodes where level = $1 and place = $2"
NUMBER: Final = "update log_entries set n = $2 where id = $1"
ADD_NODE: Final = "insert into log_nodes (level, place, hash) values ($1, $2, $3)"


def edge(size: int) -> list[Subtree]:
    """The full subtrees that the next entries are joined to."""
    return Span(0, size).nodes()


def new_nodes(
    size: int, leaves: Sequence[bytes], at_edge: Mapping[Subtree, bytes]
) -> list[tuple[int, int, bytes]]:
    """The rows of all subtrees that become full with these leaves."""
    known = dict(at_edge)
    for number, leaf in enumerate(leaves, size):
        known |= dict(completed_nodes(number, leaf, known.__getitem__))
    return [(*node, found) for node, found in known.items() if node not in at_edge]
