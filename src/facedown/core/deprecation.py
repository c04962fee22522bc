"""Deprecation of public names: a warning that says what goes away, when, and what to use instead.

What is public stands in `docs/versions.md`; what goes away warns for at least one minor version before.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_CALLER: Final = 3
"""How far up the code stands that uses what goes away: above `warn_of` and its caller."""


class GoingAway(DeprecationWarning):
    """A warning of something public that a later version takes away."""


def warn_of(what: str, *, ends: str, use: str, stacklevel: int = _CALLER) -> None:
    """Warn the caller's caller that `what` ends with the version `ends`, and what to use instead.

    For a parameter, an attribute or a command's option:

    >>> def seat(number: int, name: str | None = None) -> int:
    ...     if name is not None:
    ...         warn_of("`seat(name=…)`", ends="1.0", use="`number`")
    ...     return number
    >>> with warnings.catch_warnings(record=True) as warned:
    ...     warnings.simplefilter("always")
    ...     _ = seat(1, name="Ann")
    >>> str(warned[0].message)
    '`seat(name=…)` goes away in Facedown 1.0: use `number`'
    """
    message = f"{what} goes away in Facedown {ends}: use {use}"
    warnings.warn(message, GoingAway, stacklevel=stacklevel)


def deprecated(*, ends: str, use: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a public function that goes away: every call warns, and works as before."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def warned(*args: P.args, **kwargs: P.kwargs) -> R:
            warn_of(f"`{function.__qualname__}`", ends=ends, use=use)
            return function(*args, **kwargs)

        warned.__doc__ = (
            f"{function.__doc__ or ''}\n\nDeprecated: goes away in Facedown {ends}; use {use}.".strip()
        )
        return warned

    return decorate
