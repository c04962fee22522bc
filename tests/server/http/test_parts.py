"""Parts of the API that need no server: settings, names, the log."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
import structlog

from facedown.protocol.errors import BadMessage
from facedown.server.accounts.people import clean_name
from facedown.server.ops.logs import make_log
from facedown.server.ops.rate_limits import Rate
from facedown.server.settings import BadSetting, Settings


def test_flags_win_over_variables_and_both_over_defaults() -> None:
    environ = {"FACEDOWN_PORT": "81", "FACEDOWN_TABLES": "7", "HOME": "/home/ann"}

    read = Settings.read({"port": 82, "host": None}, environ)

    assert (read.port, read.tables, read.host) == (82, 7, "127.0.0.1")
    assert read.data == Path("/home/ann/.local/share/facedown")
    assert read.caps.tables == Rate(7, 60)
    assert read.store_url == "sqlite:/home/ann/.local/share/facedown"


def test_the_data_folder_follows_the_desktops_rules() -> None:
    assert Settings.read({}, {"XDG_DATA_HOME": "/data", "HOME": "/h"}).data == Path("/data/facedown")
    assert Settings.read({"data": "here"}, {}).data == Path.cwd() / "here"


def test_limits_by_name() -> None:
    assert Settings.read({"limit": ["tables=3", "body-bytes=100"]}, {}).body_bytes == 100
    with pytest.raises(BadSetting, match="the limits are body_bytes, "):
        Settings.read({"limit": ["table=3"]}, {})


def test_settings_are_printed_without_passwords() -> None:
    printed = Settings.read({"store": "postgres://me:secret@db/cards"}, {}).printable()

    assert printed["store"] == "postgres://…@db/cards"


def test_the_contact_of_push_services_is_an_address() -> None:
    with pytest.raises(BadSetting, match="mailto:"):
        Settings.read({"contact": "the operator"}, {})


@pytest.mark.parametrize(
    "url", ["cards.example", "ftp://cards.example", "https://", "https://a/b", "https://a:x"]
)
def test_invalid_public_addresses(url: str) -> None:
    with pytest.raises(BadSetting):
        Settings.read({"public_url": url}, {})


@pytest.mark.parametrize("name", ["", " ", "\x00", "‮", "​​", "\u0301", "\u3164", "\u115f", "\u2800\uffa0"])
def test_invisible_names(name: str) -> None:
    with pytest.raises(BadMessage):
        clean_name(name)


@pytest.mark.parametrize("name", ["Ann", "山田", "Zoë", "🂡", "<b>", "O'Neill"])
def test_names_as_people_have_them(name: str) -> None:
    assert clean_name(f" {name} ") == name


def restore_loggers() -> None:
    """Undo what a log does to the loggers of this process."""
    for name in ("uvicorn", "asyncio", "facedown"):
        library = logging.getLogger(name)
        library.handlers, library.propagate = [], True
        library.setLevel(logging.NOTSET)


def test_the_log_strikes_secrets_out_and_takes_in_libraries() -> None:
    out = io.StringIO()
    try:
        log = make_log("json", out)
        log.info("sat", seat=1, token="abc", invite="xyz")
        logging.getLogger("uvicorn.error").warning("a library speaks")
        try:
            raise ValueError("broken")
        except ValueError:
            log.exception("a mistake")
    finally:
        structlog.reset_defaults()
        restore_loggers()

    first, second, third = (json.loads(line) for line in out.getvalue().splitlines())
    assert (first["token"], first["invite"], first["seat"]) == ("…", "…", 1)
    assert (second["event"], second["level"]) == ("a library speaks", "warning")
    assert "ValueError: broken" in third["exception"]


def test_the_log_on_a_console() -> None:
    out = io.StringIO()
    try:
        make_log("console", out).info("settings", port="1")
    finally:
        structlog.reset_defaults()
        restore_loggers()

    assert "settings" in out.getvalue()
    assert "port" in out.getvalue()
