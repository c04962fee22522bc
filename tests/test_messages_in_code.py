"""Code and catalogues agree, in Python and in the browser: every key that code names is there, every message
is used, and no sentence for people is in the code itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from facedown.core.text.translation import Domain
from facedown.web.words import SHARED, game_texts, part_texts
from scripts.catalogues import ENGLISH, SOURCE, read, texts

ALL = sorted(source.parent.parent for source in SOURCE.rglob(f"locale/{ENGLISH}.po"))
FOLDERS = [folder for folder in ALL if "web" not in folder.relative_to(SOURCE).parts]
BORROWERS = {"terminal": ("commands", "cli")}
"""Packages that use the messages of another one."""


def name_of(path: Path) -> str:
    return ".".join(("facedown", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def modules(folder: Path) -> Iterator[Path]:
    """The modules that a catalogue serves: of its package, but not of packages inside with their own."""
    places = [folder, *(SOURCE / each for each in BORROWERS.get(folder.name, ()))]
    inner = [each for each in ALL if each != folder and each.is_relative_to(folder)]
    for place in places:
        for path in sorted(place.rglob("*.py")):
            if not any(path.is_relative_to(each) for each in inner):
                yield path


def callee(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def is_method(node: ast.Call, *names: str) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in names


def named_keys(argument: ast.expr) -> Iterator[str]:
    """The keys that an argument may be: patterns where a part of them is only known later."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield re.escape(argument.value)
    elif isinstance(argument, ast.IfExp):
        yield from named_keys(argument.body)
        yield from named_keys(argument.orelse)
    elif isinstance(argument, ast.JoinedStr):
        parts = (
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.]*"
            for part in argument.values
        )
        yield "".join(parts)


def keys_of(folder: Path) -> set[str]:
    """The keys of a catalogue; in the browser's, those of parts that are fetched later begin with a name."""
    if folder in (GENERIC, *LATER):
        return set(part_texts(f"{folder.name}/", ENGLISH))
    keys = set(texts(read(folder / "locale" / f"{ENGLISH}.po")))
    return {key for key in keys if "/" not in key}


def asked_keys(path: Path) -> Iterator[tuple[str, str]]:
    """Every key that a module asks for by name, with the package whose catalogue has to have it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args and not is_method(node, "say", "message")
    ]
    terminal = path.is_relative_to(SOURCE / "terminal") or path.is_relative_to(SOURCE / "commands")
    own: object = None
    if any(callee(call) in ("message", "say") for call in calls):
        own = getattr(import_module(name_of(path)), "message", None)
    for call in calls:
        if callee(call) in ("message", "say") and isinstance(own, Domain):
            yield from ((own.package, key) for key in named_keys(call.args[0]))
        elif callee(call) in ("words", "_words") and terminal:
            yield from (("facedown.terminal", key) for key in named_keys(call.args[0]))


def test_every_key_that_code_names_is_in_its_catalogue() -> None:
    known = {name_of(folder): keys_of(folder) for folder in FOLDERS}
    asked = [(path, *each) for path in sorted(SOURCE.rglob("*.py")) for each in asked_keys(path)]
    assert len(asked) > 400
    for path, package, pattern in asked:
        matches = [key for key in known[package] if re.fullmatch(pattern, key)]
        assert matches, f"{path} asks {package} for {pattern}"


@cache
def strings_of(path: Path) -> tuple[set[str], set[str]]:
    """The texts in a module, and patterns of those that are put together."""
    whole: set[str] = set()
    patterns: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            whole.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            patterns.update(each for each in named_keys(node) if re.search(r"[a-z]{3}", each))
    return whole, patterns


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SOURCE)))
def test_every_message_is_used(folder: Path) -> None:
    everywhere = folder == SOURCE / "core"  # the whole library words its messages there
    whole: set[str] = set()
    patterns: set[str] = set()
    for path in sorted(SOURCE.rglob("*.py")) if everywhere else modules(folder):
        found, made = strings_of(path)
        whole |= found
        patterns |= made
    asked = re.compile("|".join(sorted(patterns)) or "-")
    others = re.compile(r"(ended|ending|bot|story)\.")  # asked for by clients that show a game or a bot
    unused = {key for key in keys_of(folder) - whole if not asked.fullmatch(key) and not others.match(key)}
    assert unused == set()


# --- the browser -----------------------------------------------------------------------------------------

APP = SOURCE / "web/app"
GENERIC = APP / "table"
LATER = {
    APP / "account": ("account", "sign_in"),
    APP / "contacts": ("notices",),
    APP / "people": ("past_games", "people", "profile"),
    APP / "share": (),
    APP / "study": ("explore", "train"),
    APP / "today": (),
    APP / "tournaments": (),
}
"""Parts whose texts come later, and the screens that show them."""
BROWSER = [*(folder for folder in ALL if folder not in FOLDERS), GENERIC, *LATER]
KEY = r'"[^"]*"|`(?:[^`$]|\$\{[^`{}]*\})*`'
CHOICES = re.compile(rf"(?:^|[?:(])\s*({KEY})")
"""The texts that an argument may be; not those that it compares something with."""
CALL = re.compile(r"(?<![\w.])(?:\w+\.)?(t|say|words|gameWord)\(")


def browser_modules(folder: Path) -> list[Path]:
    """The modules that a catalogue of the browser serves."""
    if folder == GENERIC:
        return sorted(GENERIC.glob("generic*.js"))
    if folder in LATER:
        screens = [APP / f"screens/{name}.js" for name in LATER[folder]]
        return [*sorted(folder.rglob("*.js")), *screens]
    return sorted((APP if folder == SOURCE / "web" else folder).rglob("*.js"))


def first_argument(code: str) -> str:
    """The first argument of a call, from the code after its bracket."""
    depth = 0
    for found in re.finditer(rf"{KEY}|[(\[{{]|[)\]}}]|,", code):
        if found[0] in "([{":
            depth += 1
        elif depth == 0 and found[0] in ",)":
            return code[: found.start()]
        elif found[0] in ")]}":
            depth -= 1
    return ""


def browser_pattern(literal: str) -> str:
    return re.sub(r"\\\$\\\{.*?\\\}", r"[\\w.]*", re.escape(literal[1:-1]))


def browser_keys(path: Path, *functions: str) -> Iterator[str]:
    """Patterns of every key that a module asks one of these functions for."""
    comment = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
    code = comment.sub("", path.read_text(encoding="utf-8"))
    for call in CALL.finditer(code):
        if call[1] in functions:
            for found in CHOICES.finditer(first_argument(code[call.end() :])):
                yield browser_pattern(found[1])


def browser_texts(folder: Path) -> set[str]:
    """The keys that a part of the browser's client can show."""
    if folder.parent.parent == SOURCE / "games":
        return set(game_texts(folder.parent.name, ENGLISH))
    return keys_of(folder)


@pytest.mark.parametrize("folder", BROWSER, ids=lambda folder: str(folder.relative_to(SOURCE)))
def test_every_key_that_the_browser_names_is_in_its_catalogue(folder: Path) -> None:
    function = "t" if folder == SOURCE / "web" else "say" if folder in LATER else "words"
    known = browser_texts(folder)
    asked = [(path, key) for path in browser_modules(folder) for key in browser_keys(path, function)]
    if function == "words" and folder != GENERIC:  # parts that every table shares
        kit = [path for path in GENERIC.glob("*.js") if not path.name.startswith("generic")]
        asked += [(path, key) for path in kit for key in browser_keys(path, function)]
    if folder == GENERIC:
        asked = [(path, key) for path, key in asked if key.startswith("generic")]  # the rest is the game's
    assert len(asked) > 10
    for path, pattern in asked:
        assert any(re.fullmatch(pattern, key) for key in known), f"{path} asks for {pattern}"


@pytest.mark.parametrize("folder", BROWSER, ids=lambda folder: str(folder.relative_to(SOURCE)))
def test_every_message_of_the_browser_is_used(folder: Path) -> None:
    shell = [] if folder in (SOURCE / "web", *LATER) else sorted(APP.rglob("*.js"))  # it asks games for words
    code = "\n".join(path.read_text(encoding="utf-8") for path in {*browser_modules(folder), *shell})
    whole = {literal[1:-1] for literal in re.findall('"[^"\n]*"', code)}
    templates = re.findall(r"`(?:[\w.]|\$\{[^`{}]*\})+`", code)
    patterns = [each for each in map(browser_pattern, templates) if re.search(r"[a-z]{3}", each)]
    asked = re.compile("|".join(sorted(patterns)).replace(r"[\w.]", r"[\w.=]"))
    assert {key for key in keys_of(folder) - whole if not asked.fullmatch(key)} == set()


@pytest.mark.parametrize("game", ["davenport", "ecard"])
def test_a_message_that_clients_share_is_in_one_catalogue(game: str) -> None:
    folder = SOURCE / "games" / game
    assert [key for key in keys_of(folder / "web") if key.startswith(SHARED)] == []


# --- sentences -------------------------------------------------------------------------------------------

SENTENCE = re.compile(r"[A-Za-z][a-z']+(?:[ ,;:]+[A-Za-z'][a-z']*){2,}|[ぁ-んァ-ヶ一-龠]{2,}")
"""Three words in a row, or anything in Japanese."""
NOT_FOR_READERS = {"add_argument", "add_parser", "getLogger", "compile", "TypeVar"}
ERRORS = "say"
"""The name under which the sentence of an error is put together before it is raised."""
ROOMS = [
    "bots",
    "core/parts",
    "core/rules.py",
    "core/text",
    "games",
    "review",
    "server/accounts",
    "server/push.py",
    "solve",
    "terminal",
]
NO_SENTENCES = {
    ("core/text/widths.py", "ぁぃぅぇぉ"): "letters that begin no line",
}
LOGS = ("debug", "info", "warning", "error", "exception", "leave_out")


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Texts in a module that people may read: no docstrings, type aliases, log lines and error sentences.

    An error's sentence is in English, for the caller; its code chooses the words in other languages.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        aside = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        aside |= isinstance(node, ast.Raise | ast.Assert | ast.AnnAssign) and not is_text(node)
        aside |= isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == ERRORS for target in node.targets
        )
        aside |= isinstance(node, ast.Call) and (
            callee(node) in NOT_FOR_READERS or is_method(node, *LOGS) or makes_error(node)
        )
        if aside:
            skipped.update(id(inner) for inner in ast.walk(node))
    for node in ast.walk(tree):
        if id(node) not in skipped and isinstance(node, ast.Constant) and SENTENCE.search(str(node.value)):
            yield node.lineno, str(node.value)


def is_text(node: ast.AST) -> bool:
    """Whether an annotated assignment holds more than a type alias."""
    return isinstance(node, ast.AnnAssign) and getattr(node.annotation, "id", "") != "TypeAlias"


def kinds(error: type[BaseException]) -> set[str]:
    return {error.__name__}.union(*(kinds(each) for each in error.__subclasses__()))


CLASS = re.compile(r"^class (\w+)\(([\w.]+)", re.MULTILINE)


@cache
def errors() -> set[str]:
    """The names of all errors that there are; of ours, whether their modules were imported by now or not."""
    found = kinds(Exception)
    ours = [each for path in SOURCE.rglob("*.py") for each in CLASS.findall(path.read_text("utf-8"))]
    while more := {name for name, base in ours if base.rpartition(".")[2] in found} - found:
        found |= more
    return found


def makes_error(call: ast.Call) -> bool:
    """Whether a call makes an error, or its text in the class of one."""
    return callee(call) in errors() or ast.unparse(call.func) == "super().__init__"


def test_no_sentence_for_people_stands_in_the_code() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {text}"
        for room in ROOMS
        for path in ([SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).rglob("*.py")))
        for line, text in literals(path)
        if not any(str(path.relative_to(SOURCE)) == name and part in text for name, part in NO_SENTENCES)
    ]
    assert found == []
