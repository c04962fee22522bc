"""The log's Merkle tree: published vectors, and proofs for all small sizes, which nothing else satisfies."""

from __future__ import annotations

import itertools

import pytest

from facedown.core.merkle import (
    EMPTY_ROOT,
    Span,
    Subtree,
    completed_nodes,
    consistency_path,
    inclusion_path,
    is_continued,
    is_included,
    leaf_hash,
)

SIZES = 40
# The test vectors of Certificate Transparency: eight leaves, and the roots of the first one to eight.
PUBLISHED_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
PUBLISHED_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def tree(entries: list[bytes]) -> dict[Subtree, bytes]:
    stored: dict[Subtree, bytes] = {}
    for size, entry in enumerate(entries):
        stored |= dict(completed_nodes(size, leaf_hash(entry), stored.__getitem__))
    return stored


@pytest.fixture(scope="module")
def stored() -> dict[Subtree, bytes]:
    return tree([b"leaf %d" % number for number in range(SIZES)])


def test_roots_are_the_published_ones() -> None:
    stored = tree(PUBLISHED_LEAVES)
    roots = [Span(0, size).hash(stored.__getitem__).hex() for size in range(1, 9)]
    assert roots == PUBLISHED_ROOTS
    assert Span(0, 0).hash(stored.__getitem__) == EMPTY_ROOT


def test_every_leaf_is_proven_in_every_size_and_only_at_its_place(stored: dict[Subtree, bytes]) -> None:
    for size in range(1, SIZES + 1):
        root = Span(0, size).hash(stored.__getitem__)
        for index in range(size):
            path = [span.hash(stored.__getitem__) for span in inclusion_path(index, size)]
            leaf = stored[Subtree(0, index)]
            assert is_included(leaf, index, size, path, root)
            assert not is_included(leaf, (index + 1) % size, size, path, root) or size == 1
            assert not is_included(leaf_hash(b"another"), index, size, path, root)
            assert not is_included(leaf, index, size, [*path, root], root)
            assert not path or not is_included(leaf, index, size, path[:-1], root)
            for deeper in range((1 << (size - 1).bit_length()) + 1, SIZES + 1):  # where the path is too short
                assert not is_included(leaf, index, deeper, path, root)


def test_every_older_tree_is_proven_to_be_the_beginning(stored: dict[Subtree, bytes]) -> None:
    roots = [Span(0, size).hash(stored.__getitem__) for size in range(SIZES + 1)]
    for old, new in itertools.combinations(range(1, SIZES + 1), 2):
        path = [span.hash(stored.__getitem__) for span in consistency_path(old, new)]
        assert is_continued(old, roots[old], new, roots[new], path)
        assert not is_continued(old, roots[old - 1], new, roots[new], path)
        assert not is_continued(old, roots[old], new, roots[new - 1], path)
        assert not is_continued(old, roots[old], new, roots[new], path[:-1])
        assert not is_continued(old, roots[old], new, roots[new], [*path, roots[1]])


def test_a_tree_that_replaces_one_old_leaf_is_no_continuation(stored: dict[Subtree, bytes]) -> None:
    changed = tree([b"leaf %d" % number if number != 3 else b"another" for number in range(SIZES)])
    path = [span.hash(changed.__getitem__) for span in consistency_path(9, SIZES)]
    old, new = Span(0, 9).hash(stored.__getitem__), Span(0, SIZES).hash(changed.__getitem__)
    assert not is_continued(9, old, SIZES, new, path)


def test_the_empty_tree_is_the_beginning_of_every_tree(stored: dict[Subtree, bytes]) -> None:
    root = Span(0, 5).hash(stored.__getitem__)
    assert is_continued(0, EMPTY_ROOT, 5, root, [])
    assert not is_continued(0, root, 5, root, [])
    assert is_continued(5, root, 5, root, [])
    assert not is_continued(6, root, 5, root, [root])


@pytest.mark.parametrize(("index", "size"), [(0, 0), (5, 5), (-1, 3)])
def test_a_leaf_outside_the_tree_has_no_path(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="has no leaf"):
        inclusion_path(index, size)
    assert not is_included(EMPTY_ROOT, index, size, [], EMPTY_ROOT)
