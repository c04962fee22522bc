"""Words that no chat message may hold: files of the operator's choice, one for each language.

A file has one word or phrase on a line; lines that begin with `#` are comments. Words of scripts without
spaces are found anywhere, all others as whole words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from facedown.core.errors import FacedownError

_WITHOUT_SPACES: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_INVISIBLE: Final = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")


class BadWordFile(FacedownError):
    """A file of words that cannot be read."""

    code = "bad_word_file"


class ChatFilter:
    """The words that chat messages may not hold.

    >>> words = ChatFilter(["Twit", "馬鹿"])
    >>> [words.finds(each) for each in ("you TWIT!", "twitter", "この馬鹿め", "ｔｗｉｔ")]
    [True, False, True, True]
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        known = {folded for each in words if (folded := _fold(each).strip())}
        parts = [
            re.escape(each) if _WITHOUT_SPACES.search(each) else rf"(?<!\w){re.escape(each)}(?!\w)"
            for each in sorted(known)
        ]
        self._pattern = re.compile("|".join(parts)) if parts else None

    @classmethod
    def read(cls, files: Sequence[str]) -> ChatFilter:
        """The words of these files; raises `BadWordFile`."""
        words: list[str] = []
        for file in files:
            try:
                lines = Path(file).read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                raise BadWordFile(f"chat-words {file}: it cannot be read as text ({error})") from None
            words += [line for line in lines if not line.startswith("#")]
        return cls(words)

    def finds(self, text: str) -> bool:
        return self._pattern is not None and self._pattern.search(_fold(text)) is not None


def _fold(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
