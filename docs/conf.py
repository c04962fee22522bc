"""Settings of Sphinx for the documentation site:  sphinx-build -W docs build/docs

The pages of this folder are written by hand; the rules of the games, the reference of the library and the
tables of the protocol are made from the code (`scripts/docs_pages.py`). A link to a file outside this folder
becomes plain text.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from scripts import docs_pages  # noqa: E402  (needs the path above)

project = "Facedown"
release = docs_pages.version()
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Facedown {release}"
html_static_path = ["_static"]
html_css_files = ["facedown.css"]
html_copy_source = html_show_sphinx = html_show_copyright = False
templates_path: list[str] = []
exclude_patterns = ["pictures", "data"]
default_role = "code"
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_use_legacy_class_based = False
python_maximum_signature_line_length = 88
add_module_names = False

SECTIONS = {
    "Play": ("players", "terminal", "generated/rules/*", "fairness"),
    "Run a server": ("operators", "reachable", "several-servers", "upgrading"),
    "Program": ("library", "generated/reference", "bot-authors", "game-authors", "protocol"),
}
"""Pages by section, in reading order; those that no section names come last."""
OUTSIDE = re.compile(r"(?<!!)\[([^\]]*)\]\(\.\./([^)#\s]+)(?:#[^)]*)?\)")
RULES = re.compile(r"src/facedown/games/(\w+)/page\.md")


def setup(app: Sphinx) -> None:
    docs_pages.write(HERE / "generated")
    app.connect("source-read", change)


def change(app: Sphinx, name: str, source: list[str]) -> None:
    """A page as Sphinx reads it: with the tables made from the code, and no link out of the folder."""
    text = OUTSIDE.sub(_link, source[0])
    for mark, make in docs_pages.MARKS.items():
        if mark in text:
            text = text.replace(mark, make())
    source[0] = text + _contents() if name == "index" else text


def _link(found: re.Match[str]) -> str:
    rules = RULES.fullmatch(found[2])
    return f"[{found[1]}](generated/rules/{rules[1]}.md)" if rules else found[1]


def _contents() -> str:
    pages = {path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.rglob("*.md")}
    named: set[str] = set()
    trees = []
    for caption, section in {**SECTIONS, "The project": ("*",)}.items():
        shown = [
            each for name in section for each in sorted(pages - named - {"index"}) if Path(each).match(name)
        ]
        named |= set(shown)
        trees.append(
            "\n".join(("", "```{toctree}", ":hidden:", f":caption: {caption}", "", *shown, "```", ""))
        )
    return "".join(trees)
