"""Building the documentation site with Sphinx: warnings are errors, and pages ask no other host."""

from __future__ import annotations

import gc
import json
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.util.console import nocolor
from sphinx.util.docutils import docutils_namespace, patch_docutils

import facedown
from facedown.core.errors import FacedownError
from facedown.core.text.translation import ENGLISH
from facedown.documentation.pages import site_languages, stage, title_of
from facedown.server.app import ENDPOINTS
from facedown.server.http.descriptions import descriptions

_THEME: Final = Path(__file__).parent / "theme"
_FENCE: Final = re.compile(r"^```(\w*)$")
_CODE: Final = "    "


class BrokenPages(FacedownError):
    """The documentation cannot be built: a page or a docstring is wrong."""

    code = "broken_pages"


def build(sources: Path, target: Path) -> None:
    """Write the site into a folder, each language but English in a folder there.

    Raises `BrokenPages` with all warnings.
    """
    with tempfile.TemporaryDirectory(prefix="facedown-docs-") as place:
        downloads = Path(place, "downloads")
        downloads.mkdir()
        for name, made in descriptions(ENDPOINTS).items():
            (downloads / name).write_text(json.dumps(made(), indent=1, ensure_ascii=False), encoding="utf-8")
        problems = StringIO()
        nocolor()
        for language in site_languages(sources):
            staged = Path(place, language)
            staged.mkdir()
            stage(sources, staged, language)
            title = title_of(sources, language)
            if language == ENGLISH:
                settings = _settings(title, language) | {"html_extra_path": [str(downloads)]}
                _build_language(staged, target, settings, problems)
            else:
                _build_language(staged, target / language, _settings(title, language), problems)
    if found := problems.getvalue().replace(place, "").strip():
        raise BrokenPages(f"the documentation has {len(found.splitlines())} warnings:\n{found}")


def _build_language(staged: Path, target: Path, settings: dict[str, Any], problems: StringIO) -> None:
    with warnings.catch_warnings(), patch_docutils(), docutils_namespace(), _no_garbage_collection():
        warnings.simplefilter("ignore")  # those of Sphinx and its parts are not about our pages
        app = Sphinx(
            srcdir=staged,
            confdir=None,
            outdir=target,
            doctreedir=staged.with_name(f"{staged.name}-doctrees"),
            buildername="html",
            confoverrides=settings,
            status=None,
            warning=problems,
            freshenv=True,
        )
        app.connect("autodoc-process-docstring", _docstring)
        app.build()
    shutil.rmtree(target / "_sources", ignore_errors=True)
    (target / ".buildinfo").unlink(missing_ok=True)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Collect no garbage: it took a fifth of the time, for Sphinx keeps the trees of all pages."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _settings(title: str, language: str) -> dict[str, Any]:
    return {
        "project": "Facedown",
        "language": language,
        "locale_dirs": ["locale"],  # words of the theme
        "release": facedown.__version__,
        "extensions": ["myst_parser", "sphinx.ext.autodoc"],
        "myst_heading_anchors": 4,
        "myst_enable_extensions": ["attrs_inline"],
        "suppress_warnings": ["myst.header"],
        "default_role": "code",
        "autodoc_member_order": "bysource",
        "autodoc_typehints": "signature",
        "autodoc_typehints_format": "short",
        "autodoc_use_legacy_class_based": False,
        "python_maximum_signature_line_length": 88,
        "add_module_names": False,
        "html_theme": "furo",
        "html_title": f"{title} {facedown.__version__}",
        "html_static_path": [str(_THEME)],
        "html_css_files": ["facedown.css"],
        "html_copy_source": False,
        "html_show_sphinx": False,
        "html_show_copyright": False,
        "templates_path": [],
    }


def _docstring(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Make blocks of the fenced and indented code in docstrings, which are plain text otherwise."""
    if lines[:1] and lines[0].startswith("Alias for field number"):  # Python's docstring for every such field
        lines.clear()
    written: list[str] = []
    fenced = indented = False
    for line in lines:
        mark = _FENCE.match(line.strip())
        begins = not fenced and not indented and line.startswith(_CODE) and written[-1:] == [""]
        indented = begins or (indented and (not line or line.startswith(_CODE)))
        if mark:
            fenced = not fenced
            written += ["", f".. code-block:: {mark[1] or 'python'}", ""] if fenced else [""]
            continue
        if begins:
            if written[-2:-1] and written[-2].endswith("::"):  # as reStructuredText announces code
                written[-2] = written[-2].removesuffix("::").rstrip()
            written += [".. code-block:: python", ""]
        written.append(f"   {line}" if fenced else line)
    lines[:] = written
