"""What is said against a rule set that cannot be read, in every language."""

from __future__ import annotations

from typing import Final

from facedown.core.text.phrases import Phrases

say: Final = Phrases(
    {
        "en": {
            "not_allowed": "{name}={value} is not allowed: {name} is one of {allowed}",
            "range": "{low} to {high}",
            "no_preset": "there is no preset {name!r}: the presets are {names}",
            "no_option": "there is no option {name!r}",
            "no_option_of": "there is no option {name!r}: the options are {names}",
            "no_rules": "{text!r} is not a rule set: write it like {example}",
            "no_value": "{text!r} is not an option: write it as name=value",
            "twice": "{name} is given twice",
            "numbers": "whole numbers like {example}",
            "not_given": "{name} is missing: {name} is one of {allowed}",
            "too_long": "{text!r} is too long",
        },
        "ja": {
            "not_allowed": "{name}={value}は使えません。{name}に書けるのは、{allowed}です",
            "range": "{low}から{high}まで",
            "no_preset": "{name!r}という定番はありません。定番は、{names}です",
            "no_option": "{name!r}という項目はありません",
            "no_option_of": "{name!r}という項目はありません。項目は、{names}です",
            "no_rules": "{text!r}は規則として読めません。{example}のように書いてください",
            "no_value": "{text!r}は項目として読めません。name=valueの形で書いてください",
            "twice": "{name}が二度書かれています",
            "numbers": "{example}のように並べた整数",
            "not_given": "{name}がありません。{name}に書けるのは、{allowed}です",
            "too_long": "{text!r}は長すぎます",
        },
    }
)
