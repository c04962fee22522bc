"""The command as a whole: help, failures in one sentence, closed pipes, how little it imports at first."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings

import pytest

from facedown import __version__
from facedown.bots.find import bots_of, usual_bot
from facedown.cli import main
from facedown.core import registry
from facedown.core.text.rule_page import sentences
from tests.cli.command import SOURCE, command, environment, failed_in_one_sentence, run
from tests.cli.conftest import Here

COMMANDS = ("games", "rules", "play", "replay", "verify", "arena", "solve")


def test_help_names_every_command(here: Here) -> None:
    status, out, err = here("--help")

    assert (status, err) == (0, "")
    assert all(f"    {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(here: Here, name: str) -> None:
    status, out, err = here(name, "--help")

    assert (status, err) == (0, "")
    assert out.startswith(f"usage: facedown {name} ")


def test_help_imports_neither_core_nor_games() -> None:
    code = "import sys, facedown.cli.main as cli; cli.main(['--help']); print(*sys.modules, file=sys.stderr)"

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment(), check=True, text=True
    )

    imported = {name for name in done.stderr.split() if name.partition(".")[0] == "facedown"}
    assert imported == {
        "facedown",
        "facedown.version",
        *(f"facedown.cli{each}" for each in ("", ".added", ".main", ".parser")),
    }


def test_version(here: Here) -> None:
    assert here("--version") == (0, f"facedown {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nonsense"], "usage"),
        (["games", "--nonsense"], "usage"),
        (["play"], "usage"),
        (["play", "nonsense"], "unknown_game"),
        (["rules", "nonsense"], "unknown_game"),
        (["arena", "nonsense"], "unknown_game"),
        (["play", "\x1b[2J"], "unknown_game"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(here: Here, arguments: list[str], code: str) -> None:
    ran = here(*arguments)

    assert failed_in_one_sentence(ran, code), ran
    assert ran.out == ""
    assert "\x1b" not in ran.err


@pytest.mark.parametrize("game", registry.names())
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--rules", "nonsense"], "unreadable_rules"),
        (["--rules", "(((("], "unreadable_rules"),
        (["--rules", "x" * 100_000], "unreadable_rules"),
        (["--seats", "99"], "illegal_seats"),
        (["--seats", "0"], "illegal_seats"),
        (["--seats", "-2"], "usage"),
        (["--seats", "two"], "usage"),
        (["--seed", "\udcff"], "usage"),
    ],
)
@pytest.mark.parametrize("name", ["play", "arena"])
def test_a_table_that_cannot_be_set_is_refused(
    here: Here, name: str, game: str, arguments: list[str], code: str
) -> None:
    ran = here(name, game, *arguments)

    assert failed_in_one_sentence(ran, code), ran
    assert ran.out == ""


def test_R2_all_problems_of_rules_are_named_at_once(here: Here) -> None:
    game = registry.names()[0]

    ran = here("rules", game, "nonsense(more=1,nonsense)")

    assert failed_in_one_sentence(ran, "unreadable_rules")
    assert all(part in ran.err for part in ("'nonsense'", "'more'", "name=value"))


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        command("games"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None
    process.stdout.close()

    _, err = process.communicate()

    assert (process.returncode, err) == (141, b"")


def test_a_full_disk_is_reported() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            command("games"), stdout=full, stderr=subprocess.PIPE, env=environment(), check=False, text=True
        )

    assert done.returncode == 2
    assert done.stderr == "facedown: system: no space left on device\n"


def test_a_bug_is_reported_without_a_traceback(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> tuple[str, ...]:
        raise ZeroDivisionError("a mistake\nover two lines")

    monkeypatch.setattr(registry, "names", broken)

    assert failed_in_one_sentence(here("games"), "internal")


def test_a_process_that_runs_many_commands_words_its_warnings_once(here: Here) -> None:
    here("--version")
    once = warnings.formatwarning

    here("--version")

    assert warnings.formatwarning is once, "each wrapped the one before: the thousandth could not be shown"


def test_the_module_is_the_command() -> None:
    assert run("--version") == (0, f"facedown {__version__}\n", "")


# --- games and rules -------------------------------------------------------------------------------------


def test_games_lists_every_preset_and_option_for_people(here: Here) -> None:
    status, out, err = here("games")

    assert (status, err) == (0, "")
    for name in registry.names():
        rules = registry.get(name).rules
        assert f"\n{name}: {registry.get(name).meta.title}, " in f"\n{out}"
        assert all(f"    {preset.name} " in out for preset in rules.presets)
        assert all(f"    {option.name} " in out for option in rules.options)
    assert max(map(len, out.splitlines())) <= 80


def test_games_lists_every_choice_for_programs(here: Here) -> None:
    games = json.loads(here("games", "--json").out)["games"]

    assert [each["name"] for each in games] == list(registry.names())
    for each in games:
        kind = registry.get(each["name"]).rules
        for preset in each["presets"]:
            written = ",".join(f"{name}={value}" for name, value in preset["values"].items())
            assert str(kind.read(f"{preset['name']}({written})")) == preset["name"]
        for option in each["options"]:
            assert each["presets"][0]["values"][option["name"]] == option["default"]
            assert isinstance(option["allowed"], dict) or option["default"] in option["allowed"]


@pytest.mark.parametrize("game", registry.names())
def test_rules_prints_the_page_with_the_values_filled_in(here: Here, game: str) -> None:
    kind = registry.get(game).rules
    for preset in kind.presets:
        status, out, err = here("rules", game, preset.name)

        assert (status, err) == (0, "")
        assert [f"{{{option.name}}}" for option in kind.options if f"{{{option.name}}}" in out] == []
        assert set(sentences(registry.page(game))) == set(sentences(out))
        for option in kind.options:
            assert f"  {option.name:<13} {option.write(kind.of(preset.name).value(option)):<12} " in out


@pytest.mark.parametrize("game", registry.names())
def test_rules_marks_options_that_differ_from_the_preset(here: Here, game: str) -> None:
    kind = registry.get(game).rules
    usual = kind.of()
    option = kind.options[0]
    other = next(
        value for value in ("on", "off", "1", "2") if option.read(value) not in (None, usual.value(option))
    )

    out = here("rules", game, f"({option.name}={other})").out

    assert f"\n* {option.name:<13} {other:<12} " in out
    assert out.count("\n* ") == 1


@pytest.mark.parametrize("game", registry.names())
def test_rules_prints_the_same_for_programs(here: Here, game: str) -> None:
    found = json.loads(here("rules", game, "--json").out)

    assert found["rules"] == str(registry.get(game).rules.of())
    assert list(found["sentences"]) == list(sentences(registry.page(game)))
    assert list(found["values"]) == [option.name for option in registry.get(game).rules.options]


def test_every_sign_has_an_ascii_form_for_streams_that_cannot_encode_it() -> None:
    catalogues = (path for path in SOURCE.rglob("locale/en.po") if "web" not in path.parts)
    used = {sign for path in catalogues for sign in path.read_text(encoding="utf-8")} | set(_marks())

    signs = sorted(sign for sign in used if not sign.isascii() and not sign.isalpha())

    assert "✓" in signs
    assert [sign for sign in signs if sign.encode("ascii", main.SIGNS) == b"?"] == []
    assert "kōtei".encode("ascii", main.SIGNS) == b"kotei"


def _marks() -> str:
    """Signs in the code of commands that print."""
    folders = ("commands", "sim", "review", "terminal/lines")
    files = (path for folder in folders for path in (SOURCE / "facedown" / folder).glob("*.py"))
    return "".join(path.read_text(encoding="utf-8") for path in files)


def test_suits_are_letters_if_a_stream_cannot_encode_the_signs() -> None:
    assert "10♦, Q♠ and 王".encode("ascii", main.SIGNS) == b"10D, QS and ?"


def test_only_a_bot_of_the_arena_can_be_a_hero(here: Here) -> None:
    ran = here("arena", "ecard", "--bots", "random,uniform", "--games", "2", "--heroes", "random,sage")

    assert failed_in_one_sentence(ran, "usage")
    assert "--heroes sage: it is not among the bots of this arena: random, uniform" in ran.err


def test_bots_are_wrapped_and_the_usual_one_is_marked(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for game in registry.names():
        ran = here("bots", game)
        assert max(map(len, ran.out.splitlines())) < 40
        marked, _, _ = " ".join(ran.out.split()).partition("The usual opponent.")
        said = {name: str(bot.says) for name, bot in bots_of(game).items()}
        assert marked.rstrip().endswith(f"{usual_bot(game)} {said[usual_bot(game)]}")
    assert "default: uniform" not in here("play", "--help").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "ecard", "--seats", "99999999999999999999"], "99999999999999999999 is too large"),
        (["arena", "ecard", "--bots", "habit,habit", "--memory", "2"], "two different bots"),
    ],
)
def test_a_refusal_says_what_is_wrong(here: Here, arguments: list[str], said: str) -> None:
    ran = here(*arguments)

    assert failed_in_one_sentence(ran, "usage")
    assert said in ran.err
