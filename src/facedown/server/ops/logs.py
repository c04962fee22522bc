"""The log of a server: structured lines on standard error, as JSON or for a terminal.

Never a token, a cookie, an invitation, a pick, a nonce or a seed: fields with such names are redacted.
Requests are logged by the template of their route, which holds no secret.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final, TextIO, TypeAlias, cast


@contextmanager
def _hide(library: str) -> Iterator[None]:
    """Make a library look as if it were not installed, unless it was imported before."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]  # how Python keeps something from being imported
    try:
        yield
    finally:
        del sys.modules[library]


with _hide("rich"):  # structlog would import it for tracebacks that we print plainly: a sixth of a start
    import structlog
    from structlog.typing import FilteringBoundLogger, Processor

Log: TypeAlias = FilteringBoundLogger

_SECRET: Final = frozenset(
    (
        *("auth", "authorization", "code", "cookie", "endpoint", "entropy", "invite"),
        *("nonce", "pick", "picks", "secret", "seed", "text", "token"),
    )
)
_REDACTED: Final = "…"


def redact_secrets(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Redact fields with secret names, in case one is logged by mistake.

    >>> redact_secrets(None, "info", {"event": "sat", "seat": 1, "token": "abc"})
    {'event': 'sat', 'seat': 1, 'token': '…'}
    """
    for name in event:
        if name in _SECRET:
            event[name] = _REDACTED
    return event


def make_log(how: str, out: TextIO | None = None) -> Log:
    """The log of this process, on standard error; warnings of libraries go the same way.

    `how` is `json`, `console`, or `auto`: console if the output is a terminal.
    """
    stream = sys.stderr if out is None else out
    console = how == "console" or (how == "auto" and stream.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        redact_secrets,
    ]
    last: list[Processor] = (
        [
            structlog.dev.ConsoleRenderer(
                colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
        if console
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    _redirect_libraries(stream, shared, last)
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    return cast(Log, structlog.get_logger())


def get_log(name: str) -> Log:
    """The log for a part of the server, as `make_log` has set it up."""
    return cast(Log, structlog.get_logger(name))


def _redirect_libraries(stream: TextIO, shared: list[Processor], last: list[Processor]) -> None:
    """Send warnings and errors from the standard `logging` (uvicorn, asyncio) to the same log."""
    formatter = structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    for name in ("uvicorn", "asyncio", "facedown"):
        library = logging.getLogger(name)
        library.handlers = [handler]
        library.propagate = False
        library.setLevel(logging.WARNING)
