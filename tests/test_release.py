"""What a release writes and refuses: its version, the changelog's section, links that work on an index."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import hatch_build
from scripts import package

ROOT = Path(__file__).parent.parent
DAY = datetime.date(2030, 1, 2)
CHANGELOG = "# Changelog\n\n## 1.1.0, not released yet\n\n- New.\n\n## 1.0.0 (2029-01-01)\n\n- Old.\n"
SETTINGS = {"home": "https://host.example/us/facedown", "pages": "blob/main/", "pictures": "raw/main/"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    file = tmp_path / package.VERSION_FILE
    file.parent.mkdir(parents=True)
    file.write_text('"""A library."""\n\n__version__ = "1.0.0"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    return tmp_path


def test_a_release_has_its_version_and_its_section(checkout: Path) -> None:
    package.number(checkout, "1.1.0", DAY)

    assert '__version__ = "1.1.0"\n' in (checkout / package.VERSION_FILE).read_text("utf-8")
    written = (checkout / "CHANGELOG.md").read_text("utf-8")
    assert written == CHANGELOG.replace("## 1.1.0, not released yet", "## 1.1.0 (2030-01-02)")
    assert package.notes(CHANGELOG, "1.1.0") == "- New.\n"
    with pytest.raises(SystemExit, match="nothing to release"):
        package.number(checkout, "1.2.0", DAY)


@pytest.mark.parametrize("version", ["0.9.9", "1.0.0rc1", "1.2", "v2.0.0", "01.0.0", "2.0.0-beta"])
def test_a_version_that_is_none_or_comes_too_late_is_refused(version: str, checkout: Path) -> None:
    with pytest.raises(SystemExit, match=r"semantic version|does not come after"):
        package.number(checkout, version, DAY)

    assert (checkout / "CHANGELOG.md").read_text("utf-8") == CHANGELOG


def test_a_file_that_is_missing_changed_or_untracked_is_found() -> None:
    sdist = dict.fromkeys(("README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "hatch_build.py"), "a")
    sdist |= {"PKG-INFO": "i", "src/facedown/web/bundle.zip": "b", "src/facedown/x.py": "c", "docs/a.md": "d"}
    wheel = {"facedown/web/bundle.zip": "b", "facedown/x.py": "c", "facedown-1.0.dist-info/RECORD": "r"}
    tracked = sdist.keys() - package.MADE

    assert package.differences(wheel, sdist, tracked) == []
    for changed in (wheel | {"facedown/x.py": "other"}, wheel | {"facedown/more.py": "e"}):
        assert package.differences(changed, sdist, tracked)
    assert package.differences(wheel, sdist, tracked - {"docs/a.md"}) == ["git does not have docs/a.md"]
    assert "README.md is missing in the sdist" in package.differences(
        wheel, {path: sdist[path] for path in sdist.keys() - {"README.md"}}, tracked
    )


def test_the_parts_list_has_everything_that_is_locked_or_vendored_once() -> None:
    components = package.parts(ROOT, "1.0.0")["components"]
    assert isinstance(components, list)
    addresses = [each["purl"] for each in components]

    assert len(addresses) == len(set(addresses))
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert sum(each.startswith("pkg:pypi/") for each in addresses) == lock.count("==")
    assert any(each.startswith("pkg:npm/%40preact/signals@") for each in addresses)


def test_the_long_description_has_absolute_links_and_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    made = hatch_build.absolute_links(text, SETTINGS)

    assert "](https://host.example/us/facedown/raw/main/.github/reveal.webp)" in made
    assert "](https://host.example/us/facedown/blob/main/docs/index.md)" in made
    assert package.RELATIVE.findall(made) == []
    assert (
        hatch_build.urls(SETTINGS)["Changelog"] == "https://host.example/us/facedown/blob/main/CHANGELOG.md"
    )


def test_without_an_address_there_are_no_links_that_lead_nowhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    settings = {**SETTINGS, "home": ""}

    made = hatch_build.absolute_links(text, settings)

    assert package.RELATIVE.findall(made) == []
    assert "<!--" not in made
    assert "has a way in for players" in made
    assert hatch_build.urls(settings) == {}
