from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from facedown.core.text.translation import (
    ENGLISH,
    UNREAD,
    Domain,
    Text,
    all_of,
    in_language,
    in_row,
    language_called,
    language_for,
    language_offered,
    languages,
    preferred_language,
    sentences,
    translate,
)

message = Domain("facedown.core")


@dataclass(frozen=True, slots=True)
class Place:
    where: Text
    number: int


class Row(NamedTuple):
    name: Text
    places: tuple[Place, ...]


def test_a_message_is_a_value() -> None:
    one = message("list.and.last", left="Ann", right=message("name.you"))
    assert one == message("list.and.last", right=message("name.you"), left="Ann")
    assert one != message("list.and.last", left="Bo", right=message("name.you"))
    assert {one: 1}[copy.deepcopy(one)] == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert translate(pickle.loads(pickle.dumps(one)), "ja") == "Annとあなた"


def test_messages_in_slots_are_translated_into_the_same_language() -> None:
    inner = all_of(["Ann", message("name.you")])
    outer = in_row([inner, "7H"])
    assert translate(outer, ENGLISH) == "Ann and you, 7H"
    assert translate(outer, "ja") == "Annとあなた、7H"


def test_a_language_without_words_is_answered_in_english() -> None:
    assert translate(message("name.you"), "xx") == "You"
    assert translate("as it is", "ja") == "as it is"


def test_a_key_that_no_catalogue_has_is_a_mistake() -> None:
    with pytest.raises(LookupError, match="nosuch"):
        translate(message("nosuch"), "ja")


def test_you_has_a_capital_only_at_the_start_of_a_sentence() -> None:
    assert str(all_of(["You", "Bo"])) == "you and Bo"
    assert str(all_of(["Youssef", "YOU"])) == "Youssef and YOU", "names stay as they are"


@pytest.mark.parametrize(
    ("parts", "english", "japanese"),
    [([], "", ""), (["A."], "A.", "A."), (["A.", "B.", "C."], "A. B. C.", "A.B.C.")],
)
def test_sentences_follow_each_other(parts: list[str], english: str, japanese: str) -> None:
    assert translate(sentences(parts), ENGLISH) == english
    assert translate(sentences(parts), "ja") == japanese


def test_every_message_inside_a_value_is_translated() -> None:
    you = message("name.you")
    row = Row(you, (Place(you, 1), Place("Bo", 2)))
    assert in_language(row, "ja") == Row("あなた", (Place("あなた", 1), Place("Bo", 2)))
    assert in_language([row, {"key": you}], ENGLISH)[1] == {"key": "You"}
    assert row.name is you


def test_braces_in_a_slot_stay_as_they_are() -> None:
    assert str(all_of(["{left}", "{0}"])) == "{left} and {0}"


def test_languages_are_found_by_tag_and_locale() -> None:
    assert [language_for(tag) for tag in ("ja", "JA-jp", "ja_JP.eucJP", "en_US.UTF-8", "POSIX", "")] == [
        "ja",
        "ja",
        "ja",
        "en",
        None,
        None,
    ]
    assert preferred_language("sl;q=0.9, ja;q=0.2") == "ja"
    assert preferred_language("ja;q=nonsense, en;q=0.1") == "en"
    assert preferred_language("") == ENGLISH


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        *(("de-AT", "de"), ("de_CH.UTF-8", "de"), ("fr-CA", "fr"), ("es-MX", "es"), ("es-419", "es")),
        *(
            ("pt", "pt-BR"),
            ("pt-PT", "pt-BR"),
            ("zh-Hans", "zh-CN"),
            ("zh-SG", "zh-CN"),
            ("ko_KR.UTF-8", "ko"),
        ),
    ],
)
def test_a_tag_of_another_region_finds_the_language(tag: str, language: str) -> None:
    if language in languages():
        assert language_for(tag) == language
        assert preferred_language(f"{tag}, en;q=0.5") == language


def test_a_menu_says_which_languages_look_for_a_native_reader() -> None:
    assert language_offered("ja") == language_called("ja") == "日本語"
    for language in UNREAD & set(languages()):
        assert language_offered(language).startswith(language_called(language))
        assert len(language_offered(language)) > len(language_called(language))
