"""Contract, fourth part: rules are written canonically, and a record gives back the game it was made from."""

from __future__ import annotations

from hypothesis import settings

from facedown.core import registry
from facedown.core.chance import Scripted, seed_of
from facedown.core.game import AnyGame
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.core.replay import AnyMatch, verify
from facedown.core.rules import Rules
from facedown.testing.checks import HOW, Check, require
from facedown.testing.tables import Deal, driven, rule_sets


@driven
def records_round_trip(deal: Deal) -> None:
    """Written, read and played again, a record is the same game, whole or broken off anywhere."""
    stop = deal.stream("stop").below(30)
    for after, _, _ in deal.play():
        if after.decision == stop:
            check_record(after)
    match = deal.finish()
    check_record(match)
    if _is_registered(match.game):
        record = match.record(seed=seed_of(str(deal.seed)))
        findings = list(verify(Record.read(record.write())))
        doubtful = [each for each in findings if not each.holds and each.check != "links"]  # of a server
        require(not doubtful, f"the record of a finished game does not verify: {doubtful}")


def check_record(match: AnyMatch) -> None:
    """Raise unless the record of the match so far tells the same game."""
    record = match.record()
    text = record.write()
    read = Record.read(text)
    require(read == record, f"the record is read back as something else: {text[:200]}")
    require(read.write() == text, f"the record is written differently the second time: {text[:200]}")
    again: AnyMatch = Match(match.game, match.game.rules.read(read.rules), read.seats, Scripted(read.chance))
    for joint in read.picks:
        again.decide(joint)
    require(again.state == match.state, "the record, played again, leads to another state")
    require(again.record() == record, "the record, played again, gives another record")


def _is_registered(game: AnyGame) -> bool:
    return game.name in registry.names() and registry.get(game.name) is game


def rules_are_written_canonically(game: AnyGame, how: settings = HOW) -> None:
    """Every rule set has one text, which gives it back; options and presets are named and explained."""
    kind: type[Rules] = game.rules
    names = [option.name for option in kind.options]
    require(len(set(names)) == len(names), f"two options have the same name: {names}")
    for option in kind.options:
        explained = all((option.label, option.help, option.allowed))
        require(explained, f"the option {option.name} lacks a label, a help or what is allowed")
    for preset in kind.presets:
        usual = str(kind.of(preset.name))
        require(usual == preset.name, f"the preset {preset.name} is written as {usual}")
        require(bool(preset.meaning), f"the preset {preset.name} does not say what it means")
    for rules in rule_sets(game):
        text = str(rules)
        require(rules.problems() == (), f"{text} has problems: {rules.problems()}")
        require(kind.read(text) == rules, f"{text} is read back as {kind.read(text)}")
        spelt = ", ".join(
            f" {option.name} = {option.write(rules.value(option))}" for option in kind.options[::-1]
        )
        loose = kind.read(f" {rules.preset} ({spelt} ) ")
        require(str(loose) == text, f"all options of {text} spelt out are written as {loose}")


CHECKS: tuple[Check, ...] = (records_round_trip, rules_are_written_canonically)
