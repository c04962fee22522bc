"""Networks before and after their training: new weights, and the arrays of the file that is shipped."""

from __future__ import annotations

from typing import Any, Final

from facedown.games.davenport.bots.network import NUMBERS, PICKS, Array, Weights

HIDDEN: Final = (256, 192)
_TRUST: Final = 3.0
"""How much the untrained network follows `careful`."""


def new_weights(np: Any, seed: int, hidden: tuple[int, int] = HIDDEN) -> Weights:
    """Untrained: it plays nearly as `careful` does."""
    random = np.random.default_rng(seed)

    def layer(rows: int, columns: int, scale: float) -> Array:
        return (random.standard_normal((rows, columns)) * scale / rows**0.5).astype(np.float32)

    def zeros(count: int) -> Array:
        return np.zeros(count, dtype=np.float32)

    one, two = hidden
    return Weights(
        layer(NUMBERS, one, 1.4),
        zeros(one),
        layer(one, two, 1.4),
        zeros(two),
        layer(two, PICKS, 0.05),
        zeros(PICKS),
        layer(two, 1, 0.1),
        zeros(1),
        np.full(2, _TRUST, dtype=np.float32),
    )


def to_file(np: Any, weights: Weights) -> dict[str, Array]:
    """The arrays of a file: half precision, the high bytes of all numbers before the low ones.

    The high bytes are much alike: compressed, that takes 93 % of what the numbers themselves take.
    """
    halves = {name: np.ascontiguousarray(each, dtype="<f2") for name, each in weights._asdict().items()}
    pairs = {name: each.view(np.uint8).reshape(*each.shape, 2) for name, each in halves.items()}
    return {name: np.stack([each[..., 1], each[..., 0]]) for name, each in pairs.items()}
