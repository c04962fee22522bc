"""The words of the terminal itself, in every language that it speaks; games bring their own.

Every language has the same keys, and each text the same slots: a test looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from facedown.core.errors import FacedownError
from facedown.core.text.english import YOU, inside, listed
from facedown.core.text.sanitise import printable
from facedown.terminal.words.en import ENGLISH
from facedown.terminal.words.ja import JAPANESE, REFUSALS

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "ja": JAPANESE}
_REFUSALS: Final[Mapping[str, Mapping[str, str]]] = {"ja": REFUSALS}
"""Why something is refused, by code; English says what the error itself says, which tells more."""
_PRESETS: Final = ("hello", "good_luck", "one_moment", "sorry", "well_played", "thanks")
"""What can be said to people who read another language."""
_LONGEST: Final = 60
"""So much of what was refused is shown."""


class Words:
    """What the terminal says, in one language.

    >>> Words("en")("kept", command="facedown play --resume")
    'The game is kept: `facedown play --resume` goes on with it.'
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language if language in TEXTS else "en"
        self._texts = TEXTS[self.language]

    def __call__(self, key: str, /, **slots: object) -> str:
        """The text of that key, with its slots filled."""
        return self._texts[key].format(**slots)

    def refusal(self, error: FacedownError) -> str:
        """Why something is refused, as a part of a sentence.

        >>> from facedown.core.errors import AlreadySealed
        >>> Words("ja").refusal(AlreadySealed("this seat has sealed its pick already", rule="X1"))
        'もう封じてあります (X1)'
        """
        rule = f" ({error.rule})" if error.rule else ""
        known = _REFUSALS.get(self.language)
        if known is None:
            return f"{printable(error.say)}{rule}"
        code = getattr(error, "name", "") or error.code  # a server's refusal carries the server's code
        shown = printable(error.text, _LONGEST)
        said = known.get(code) or known.get(error.code) or known["error"]
        return f"「{shown}」：{said}{rule}" if shown else f"{said}{rule}"

    def span(self, milliseconds: int) -> str:
        """How long that is, as people say it.

        >>> Words().span(23_400), Words().span(5 * 60_000), Words().span(3 * 86_400_000)
        ('24 s', '5 min', '3 days')
        """
        seconds = -(-milliseconds // 1000)
        for unit, length, least in (("days", 86_400, 172_800), ("hours", 3600, 7200), ("minutes", 60, 120)):
            if seconds >= least:
                return self(f"clock_{unit}", count=seconds // length)
        return self("clock_seconds", count=seconds)

    def decisions(self, count: int) -> str:
        """So many decisions.

        >>> Words().decisions(1), Words().decisions(3), Words("ja").decisions(3)
        ('1 decision', '3 decisions', '3手')
        """
        return self("decision" if count == 1 else "decisions", count=count)

    def preset(self, name: str) -> str:
        """A preset remark in this language; one that is not known as it is called."""
        return self._texts.get(f"say_{name}", name) if name in _PRESETS else name

    def preset_of(self, text: str) -> str:
        """The preset that these words are; empty where they are none."""
        plain = text.strip().rstrip(".!。！").lower()
        return next((name for name in _PRESETS if self.preset(name).lower() == plain), "")

    @property
    def presets(self) -> tuple[str, ...]:
        """All preset remarks, in this language."""
        return tuple(self.preset(name) for name in _PRESETS)

    def listed(self, parts: Sequence[str]) -> str:
        """The parts as a sentence lists them."""
        return listed(parts) if self.language == "en" else "と".join(parts)

    def joined(self, sentences: Sequence[str]) -> str:
        """Sentences one after the other."""
        return (" " if self.language == "en" else "").join(sentences)

    def name(self, name: str) -> str:
        """A name inside a sentence."""
        return inside(name) if self.language == "en" else name

    def names(self, names: Sequence[str]) -> tuple[str, ...]:
        """What the seats are called: names that nobody gave are said in this language."""
        return tuple(self("you") if name == YOU else self._machine(name) for name in names)

    def _machine(self, name: str) -> str:
        word, _, number = name.partition(" ")
        if self.language == "en" or word not in ("Machine", "Seat") or (number and not number.isdigit()):
            return name
        return self("machine" if word == "Machine" else "seat") + number
