"""The words of the terminal itself, in one language; games bring their own. `locale` has them.

Also the review of a finished game as lines. `facedown.review` judges it; that needs the solver, and one line
says so if it is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.events import Seen
from facedown.core.game import AnyGame
from facedown.core.record import Record
from facedown.core.rules import Rules
from facedown.core.seats import Seat
from facedown.core.text import rule_page
from facedown.core.text.markdown import plain_text
from facedown.core.text.names import is_you, names_in
from facedown.core.text.sanitise import printable
from facedown.core.text.translation import (
    ENGLISH,
    Domain,
    Slot,
    Text,
    all_of,
    languages,
    sentences,
    translate,
)

message: Final = Domain("facedown.terminal")

_PRESETS: Final = ("hello", "good_luck", "one_moment", "sorry", "well_played", "thanks")
_EMOTES: Final = ("smile", "laugh", "wink", "wow", "think", "cry")
"""What can be said to people who read another language."""
_LONGEST: Final = 60
"""Characters that are shown of what was refused."""


class Words:
    """What the terminal says, in one language.

    >>> Words("en")("kept", command="facedown play --resume")
    'The game is kept: `facedown play --resume` continues it.'
    """

    def __init__(self, language: str = ENGLISH) -> None:
        self.language = language if language in languages() else ENGLISH

    def __call__(self, key: str, /, **slots: Slot) -> str:
        return translate(message(key, **slots), self.language)

    def text(self, text: Text) -> str:
        """A text of others, such as a game's, in this language."""
        return translate(text, self.language)

    def refusal(self, error: FacedownError) -> str:
        """Why something is refused, as a part of a sentence.

        In English the error itself says it, and tells more; in other languages its code chooses the words.

        >>> from facedown.core.errors import AlreadySealed
        >>> Words("ja").refusal(AlreadySealed("this seat has sealed its pick already", rule="X1"))
        'もう封じてあります (X1)'
        """
        rule = f" ({error.rule})" if error.rule else ""
        if self.language == ENGLISH:
            return f"{printable(str(error.message))}{rule}"
        codes = (getattr(error, "name", ""), error.code)  # a server's refusal carries the server's code
        code = next((code for code in codes if code and message.has(f"refusal.{code}")), FacedownError.code)
        why = self(f"refusal.{code}")
        shown = printable(error.text, _LONGEST)
        return f"{self('refusal.of', text=shown, why=why) if shown else why}{rule}"

    def span(self, milliseconds: int) -> str:
        """How long that is, as people say it.

        >>> Words().span(23_400), Words().span(5 * 60_000), Words().span(3 * 86_400_000)
        ('24 s', '5 min', '3 days')
        """
        seconds = -(-milliseconds // 1000)
        for unit, length, least in (("days", 86_400, 172_800), ("hours", 3600, 7200), ("minutes", 60, 120)):
            if seconds >= least:
                return self(f"clock.{unit}", count=seconds // length)
        return self("clock.seconds", count=seconds)

    def decisions(self, count: int) -> str:
        """A number of decisions.

        >>> Words().decisions(1), Words().decisions(3), Words("ja").decisions(3)
        ('1 decision', '3 decisions', '3手')
        """
        return self("decisions", count=count)

    def preset(self, name: str) -> str:
        """A preset remark in this language; one that is not known as it is called."""
        return self(f"say.{name}") if name in _PRESETS + _EMOTES else name

    def preset_of(self, text: str) -> str:
        """The preset that these words are; empty where they are none."""
        plain = text.strip().rstrip(".!。！").lower()
        return next((name for name in _PRESETS if self.preset(name).lower() == plain), "")

    @property
    def presets(self) -> tuple[str, ...]:
        return tuple(self.preset(name) for name in _PRESETS)

    def all_of(self, parts: Sequence[str]) -> str:
        return self.text(all_of(parts))

    def sentences(self, parts: Sequence[str]) -> str:
        return self.text(sentences(parts))

    def names(self, names: Sequence[str]) -> tuple[str, ...]:
        """What the seats are called: default names are in this language."""
        return names_in(self.language, names)


# --- the rules in words ----------------------------------------------------------------------------------


def rules_in_words(game: AnyGame, rules: Rules, words: Words) -> str:
    """The page of a game with the values of these rules, in Markdown."""
    return rule_page.fill_in(registry.page(game.name, words.language), rules)


def cited_rules(page: str, ids: Iterable[str], words: Words) -> list[str]:
    """The sentences of these rules on their page, each behind its id and a tab."""
    known, unknown = rule_page.sentences(page), words("no_sentence")
    return [f"{rule}\t{plain_text(known.get(rule, unknown))}" for rule in ids]


def rules_behind(seen: Iterable[Seen]) -> tuple[str, ...]:
    """The ids that these events cite, each once."""
    return tuple(dict.fromkeys(rule for fact in seen for rule in fact.rules))


# --- the review ------------------------------------------------------------------------------------------


def review_text(record: Record, seat: Seat, words: Words, width: int) -> list[str]:
    """The whole review; one line that says why where there is none."""
    try:
        from facedown.review import reports
        from facedown.review.review import review

        found = review(record, seat, language=words.language)
    except ImportError as error:
        return [words("review.none", why=str(error))]
    except FacedownError as error:
        return [words("refused", why=words.refusal(error)) if words.language != ENGLISH else str(error)]
    name = words.names(record.seats)[seat - 1]
    of = words("review.yours") if is_you(name, words.language) else words("review.of", name=name)
    return [of, "", *reports.plain_text(found, width).splitlines()]
