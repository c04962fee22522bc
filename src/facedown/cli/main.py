"""The `facedown` command: the call of the subcommand's module, and every failure as one sentence.

Imports nothing heavy: `facedown --help` is there at once. Every failure is one sentence and exit status 2.
"""

from __future__ import annotations

import codecs
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from facedown.cli import DONE, FAILED, INTERRUPTED, PIPE_CLOSED
from facedown.cli.parser import make_parser, module_of


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    try:
        _replace_unencodable()
        warnings.formatwarning = _format_warning  # type: ignore[assignment]  # the same arguments, by position
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nfacedown: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _close_stdout_quietly()
        return PIPE_CLOSED
    except Exception as error:
        if "FACEDOWN_DEBUG" in os.environ:
            raise
        print(f"facedown: {_plain_text(_sentence(error))}", file=sys.stderr)
        _flush_or_drop()
        return FAILED


_usual_format: Final = warnings.formatwarning


def _format_warning(message: Any, category: type[Warning], *place: Any) -> str:
    """A warning about a package that is left out in one line, without a place in our code."""
    from facedown.core.registry import LeftOut  # imported by then, and not needed for --help

    if issubclass(category, LeftOut):
        return f"facedown: {message}\n"
    return _usual_format(message, category, *place)


def _run(argv: Sequence[str] | None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    parser = make_parser(argv[0] if argv else "")
    try:
        arguments = parser.parse_args(argv)
    except SystemExit:  # after --help or --version; the flush shows whether it could be printed
        return DONE
    if arguments.command is None:  # `facedown` alone: the tables, in the browser
        arguments = make_parser("serve").parse_args(["serve", "--open"])
    status: int | None = import_module(module_of(arguments.command)).run(arguments)
    return status or DONE


def _plain_text(sentence: str) -> str:
    """The sentence without control codes: it may repeat what was typed."""
    from facedown.core.text.sanitise import printable

    return printable(sentence, 4000)


def _sentence(error: Exception) -> str:
    from facedown.core.errors import FacedownError, Unsupported

    if isinstance(error, Unsupported) and error.missing:
        from facedown.cli.extras import install_command

        return f"{error.code}: {error}: {install_command(error.missing)}"
    if isinstance(error, FacedownError):
        return f"{error.code}: {error}"
    if isinstance(error, OSError):
        return f"system: {(error.strerror or str(error)).lower()}"
    known = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"internal: {known}; this is a bug in Facedown (FACEDOWN_DEBUG=1 shows where)"


def _without_signs(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace signs that a stream cannot encode by ASCII, anything else by a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(_SIGNS.get(sign) or _base_letter(sign) for sign in wrong), error.end


def _base_letter(letter: str) -> str:
    """The letter without its accent; a question mark for one that is not in ASCII without it."""
    import unicodedata

    base = unicodedata.normalize("NFKD", letter)[:1]
    return base if base.isascii() and base.isprintable() else "?"


SIGNS: Final = "facedown.signs"
"""The error handler of streams that cannot write everything."""
_SIGNS: Final = (
    {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "✓": "ok", "✗": "NO", "–": "-", "—": "-", "−": "-", "±": "+-"}
    | {"…": "...", "·": "-", "×": "x", "→": "->", "←": "<-", "↑": "^", "↓": "v", "▲": "^", "▽": "v", "─": "-"}
    | {"“": '"', "”": '"', "‘": "'", "’": "'", "◉": "@", "▸": ">", "■": "#", "□": "."}
    | dict(zip("▁▂▃▄▅▆▇█", ".:-=+*%#", strict=True))
)
codecs.register_error(SIGNS, _without_signs)


def _replace_unencodable() -> None:
    """Let streams replace characters that they cannot encode or decode, instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stdin else SIGNS)


def _flush_or_drop() -> None:
    """Flush the output, or drop it: otherwise the flush at the exit would fail again."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _close_stdout_quietly()


def _close_stdout_quietly() -> None:
    """Drop what is still buffered: the reader of the output has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
