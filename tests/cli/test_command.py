"""The command as a whole: help, failures in one sentence, closed pipes, how little it imports at first."""

from __future__ import annotations

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


def test_help_names_every_command(here: Here) -> None:
    status, out, err = here("--help")

    assert (status, err) == (0, "")
    assert all(
        f"    {name} " in out for name in ("games", "rules", "play", "replay", "verify", "arena", "solve")
    )


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


def test_bots_are_wrapped_and_the_usual_one_is_marked(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for game in registry.names():
        ran = here("bots", game)
        assert max(map(len, ran.out.splitlines())) < 40
        marked, _, _ = " ".join(ran.out.split()).partition("The usual opponent.")
        said = {name: str(bot.says) for name, bot in bots_of(game).items()}
        assert marked.rstrip().endswith(f"{usual_bot(game)} {said[usual_bot(game)]}")
    assert "default: uniform" not in here("play", "--help").out
