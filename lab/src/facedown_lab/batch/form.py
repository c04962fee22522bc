"""The batch form of a game: many tables as arrays, for simulators and programs that learn.

A game's folder may hold a module `batch` with a `BATCH`, a class that does what `BatchGame` says. Its
functions are written over an array namespace `xp`, NumPy or jax.numpy, which is handed in. They change no
array, and every shape is fixed, so that JAX can compile them. Knows no game.

Tables lie along the first axis. A seat's arrays are separate ones: a compiler can keep them in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from facedown.core.rules import Rules

Array: TypeAlias = Any
"""An array of NumPy or JAX."""
Namespace: TypeAlias = Any
"""NumPy, or jax.numpy."""
Tree = TypeVar("Tree")
"""Arrays in tuples of tuples: a state."""

_FEW: Final = 6
"""A change at fewer than one table in this number is computed for those tables alone."""

RESIGN_CODE: Final = -1
"""The pick of a seat that resigns; the others' picks are then ignored (R3)."""

Picks: TypeAlias = "Array | tuple[Array, ...]"
"""Places in the alphabet of `Game.picks`: one array of tables by seats, or one array for each seat."""


class Draws(Protocol):
    """Where a batch of tables asks what comes up: explicit chance, as everywhere."""

    def below(self, slot: Any, count: Array, used: Array) -> Array:
        """A number from 0 to `count - 1` for each table, unsigned; looked at only where `used` holds.

        Every draw that a step can make has a slot of its own, in the order in which a match draws.
        """
        ...

    def unit(self, slot: int, used: Array) -> Array:
        """A number from 0 to below 1 for each table."""
        ...

    def at(self, tables: Array) -> Draws:
        """The same for some of the tables alone (NumPy only)."""
        ...


class BatchPolicy(Protocol):
    """A machine at one seat of many tables. What it remembers of each table is handed to it, never kept.

    It is shown the state, but may look at nothing that the seat's view does not hold.
    """

    name: str
    exact: bool
    """Whether it picks, in NumPy and with a match's draws, exactly what its namesake picks in a match; else
    what they pick may differ where two picks are equal but for rounding."""

    def start(self, game: Any, tables: int) -> Any:
        """What there is to remember before the first decision: arrays in tuples. Nothing, by default."""
        return ()

    def after(self, game: Any, memory: Any, before: Any, state: Any) -> Any:
        """What there is to remember after a step; a table may have been dealt again."""
        return ()

    def pick(self, game: Any, state: Any, memory: Any, seat: int, draws: Draws) -> Array:
        """Places in the alphabet for the seat, from 0; anything where it has nothing to decide.

        The slots of `draws` from `game.slots` on are for picks: one for each seat.
        """
        ...


class BatchGame(Protocol):
    """Many tables of a game under one rule set, each step a reveal at every table.

    The class is called with the namespace, the rules and the number of seats. With `ordered`, hands also
    keep what a match keeps beyond the rules: the order in which their cards came, where there is one.
    """

    xp: Namespace
    rules: Rules
    seats: int
    slots: int
    """How many draws a deal or a step can make."""

    def init(self, tables: int, draws: Draws) -> Any:
        """That many tables, dealt: the state before the first decision."""
        ...

    def step(self, state: Any, picks: Picks, draws: Draws) -> Any:
        """The state after a reveal at every table. Picks must be legal; what is over stays as it is."""
        ...

    def go_on(self, state: Any, picks: Picks, draws: Draws) -> tuple[Any, Array, Array]:
        """A step that deals finished tables again: the state, the payoffs, which tables were over."""
        ...

    def pack(self, state: Any) -> Any:
        """The state in as few words as the game knows how: for compiled loops, which hand it on by memory."""
        ...

    def unpack(self, packed: Any) -> Any:
        """The state that was packed."""
        ...

    def deciding(self, state: Any, seat: int) -> Array:
        """Whether the seat, from 0, has to pick at each table."""
        ...

    def legal(self, state: Any, seat: int) -> Array:
        """Which places of the alphabet the seat may pick: tables by picks."""
        ...

    def observe(self, state: Any, seat: int) -> Array:
        """The seat's view of each table as numbers: what `Game.encode` makes of it."""
        ...

    def over(self, state: Any) -> Array:
        """Which tables are finished."""
        ...

    def winner(self, state: Any) -> Array:
        """The winner's seat, from 1; 0 while a game is in progress or where it was drawn."""
        ...

    def payoffs(self, state: Any) -> Array:
        """What the outcome pays each seat: tables by seats; nothing while a game is in progress."""
        ...

    def scores(self, state: Any) -> Array:
        """The score of the outcome: tables by seats; looked at only where a game is over."""
        ...

    def endings(self, state: Any) -> Array:
        """Why each game ended: a number, from 1, in the order of `Game.terminations`; 0 while in progress."""
        ...


def index_below(word: Array, count: Array) -> Array:
    """The part `word / 2^32` of a count, without a wider number: the draw that a 32-bit word stands for."""
    high, low = word >> 16, word & 0xFFFF
    return (high * count + ((low * count) >> 16)) >> 16


def columns(picks: Picks, seats: int) -> tuple[Array, ...]:
    """The picks of each seat."""
    return picks if isinstance(picks, tuple) else tuple(picks[:, seat] for seat in range(seats))


def at_tables(tree: Tree, tables: Array) -> Tree:
    """Some tables of a state."""
    found: Tree = _each(lambda array: array[tables], tree)
    return found


def with_tables(tree: Tree, tables: Array, part: Tree) -> Tree:
    """A state with other tables in place of some (NumPy only): arrays are copied, none is changed."""
    found: Tree = _both(_scatter(tables), tree, part)
    return found


def _scatter(tables: Array) -> Callable[[Array, Array], Array]:
    def place(array: Array, part: Array) -> Array:
        copied = array.copy()
        copied[tables] = part
        return copied

    return place


def choose(xp: Namespace, condition: Array, one: Tree, other: Tree) -> Tree:
    """One state where a condition holds, the other elsewhere."""

    def pick(yes: Array, no: Array) -> Array:
        if yes is no:
            return yes
        return xp.where(condition if yes.ndim == 1 else condition[:, None], yes, no)

    found: Tree = _both(pick, one, other)
    return found


def changed_at(xp: Namespace, due: Array, state: Tree, change: Callable[[Array], Tree]) -> Tree:
    """A state after a change at the few tables where it is due; `change` computes these tables.

    NumPy looks at no other. JAX on a processor looks at a part of fixed size, and at all tables in the rare
    step in which more are due: for a deal, which comes every tenth step or so, that took 40 % off a step.
    """
    if is_numpy(xp):
        tables = xp.flatnonzero(due)
        return with_tables(state, tables, change(tables)) if len(tables) else state
    import jax

    count = len(due)
    size = -(-count // _FEW)

    def few() -> Tree:
        tables = xp.nonzero(due, size=size, fill_value=count)[0]
        part = change(xp.minimum(tables, count - 1))
        found: Tree = _both(lambda whole, new: whole.at[tables].set(new, mode="drop"), state, part)
        return found

    def many() -> Tree:
        return choose(xp, due, change(xp.arange(count)), state)

    done: Tree = jax.lax.cond(due.sum() <= size, few, many)
    return done


def computed_once(xp: Namespace, holds: Callable[[], Array], tree: Tree) -> Tree:
    """Arrays that JAX on a processor keeps: its compiler would compute them again for every use.

    It stops at a condition that it cannot see through: `holds`, which has to be true. Every array costs its
    whole computation, so hand over few: the place of a card and not the card, the flags of a verdict in one
    word. For a game of four seats with hidden hands that took 40 % off a step.
    """
    if not recomputes(xp):
        return tree
    import jax

    nothing: Tree = _each(xp.zeros_like, tree)
    kept: Tree = jax.lax.cond(holds(), lambda: tree, lambda: nothing)
    return kept


def recomputes(xp: Namespace) -> bool:
    """Whether arrays are computed again for everything that needs them: by JAX on a processor."""
    return not (is_numpy(xp) or on_gpu(xp))


def on_gpu(xp: Namespace) -> bool:
    """Whether JAX computes on a GPU: there it is cheaper to compute all tables than to look for some."""
    if is_numpy(xp):
        return False
    import jax

    return bool(jax.default_backend() != "cpu")


def repeat(xp: Namespace, times: int, body: Callable[[Any, Tree], Tree], start: Tree) -> Tree:
    """What a function of a number, from 0, and the value before makes of a value, this many times.

    JAX compiles the function once, however often it is run.
    """
    if is_numpy(xp):
        for number in range(times):
            start = body(number, start)
        return start
    from jax import lax

    done: Tree = lax.fori_loop(0, times, body, start)
    return done


def is_numpy(xp: Namespace) -> bool:
    """Whether arrays are NumPy's, which computes at once, and only what is needed."""
    return bool(xp.__name__ == "numpy")


def _each(function: Callable[[Array], Array], tree: Any) -> Any:
    if isinstance(tree, tuple):
        return _rebuild(tree, [_each(function, part) for part in tree])
    return function(tree)


def _both(function: Callable[[Array, Array], Array], one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return _rebuild(one, [_both(function, *parts) for parts in zip(one, other, strict=True)])
    return function(one, other)


def _rebuild(like: Any, parts: Sequence[Any]) -> Any:
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
