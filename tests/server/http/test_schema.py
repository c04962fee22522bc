"""The API against its own description: no call makes the server stumble, and every answer is as described."""

from __future__ import annotations

import json
import os
import re
import urllib.request
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, given, settings

from facedown.server.app import ENDPOINTS
from facedown.server.http.openapi import document
from tests.patience import PATIENCE
from tests.server.http.client import Caller
from tests.server.running import Server

DOCUMENT: dict[str, Any] = json.loads(msgspec.json.encode(document(ENDPOINTS)))
OPERATIONS = [
    (method.upper(), path)
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if not path.startswith("/api/v1/stream")  # never ends
]
EXAMPLES = 10 if os.environ.get("THOROUGH") else 2
POSITIVE, NEGATIVE = "positive", "negative"
"""What Schemathesis sends: what the description allows, or what it does not."""


def test_the_description_is_served(server: Server) -> None:
    with urllib.request.urlopen(f"{server.base}/api/openapi.json", timeout=PATIENCE) as answer:
        assert json.load(answer) == DOCUMENT


def test_every_endpoint_is_described() -> None:
    described = {(method.upper(), path) for path, each in DOCUMENT["paths"].items() for method in each}

    assert described == {(each.method, each.path.replace(":path", "")) for each in ENDPOINTS}
    names = [each["operationId"] for path in DOCUMENT["paths"].values() for each in path.values()]
    assert len(names) == len(set(names))


def test_every_part_of_a_path_is_described() -> None:
    for path, methods in DOCUMENT["paths"].items():
        for operation in methods.values():
            described = {part["name"] for part in operation["parameters"] if part["in"] == "path"}
            assert described == set(re.findall(r"{(\w+)}", path)), path


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(DOCUMENT)

    wanted = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}

    assert wanted <= set(DOCUMENT["components"]["schemas"])


def test_the_messages_of_the_socket_are_described() -> None:
    socket = DOCUMENT["x-socket"]
    schemas = DOCUMENT["components"]["schemas"]

    def tag(reference: dict[str, str]) -> str:
        schema = schemas[reference["$ref"].rpartition("/")[2]]
        (value,) = schema["properties"]["t"]["enum"]
        return str(value)

    assert {tag(each) for each in socket["incoming"]} == {"hello", "cmd", "take", "pong"}
    outgoing = {"welcome", "links", "snap", "ack", "nak", "ev", "role", "here", "ping", "bye"}
    assert {tag(each) for each in socket["outgoing"]} == outgoing
    assert "facts" in schemas["GameEvent"]["properties"]


def test_no_call_of_a_person_is_answered_without_a_session(stranger: Caller) -> None:
    for each in ENDPOINTS:
        path = each.path.removeprefix("/api/v1").replace("{", "").replace("}", "")
        if each.needs == "session":
            assert stranger.refused(each.method, path, {}) == (401, "needs_session"), each.path


# --- every call, with all kinds of bodies ----------------------------------------------------------------


def world(server: Server) -> dict[str, str]:
    """A person with a table that the calls may change."""
    with Caller(server.base) as ann:
        ann.begin("Ann")
        made = ann.make(public=True)
        ann.join(made["table"], 1)
        return {"token": ann.token, "table": made["table"], "code": made["invite"], "game": "ecard"}


def modes(method: str, path: str) -> list[str]:
    """What can be sent: only valid calls if there is nothing to get wrong."""
    operation = DOCUMENT["paths"][path][method.lower()]
    fallible = "requestBody" in operation or any(part["in"] != "path" for part in operation["parameters"])
    return [POSITIVE, NEGATIVE] if fallible else [POSITIVE]


def test_no_call_makes_the_server_stumble(server: Server) -> None:
    """One test for all of them: Schemathesis takes seconds to import, in each process that does it."""
    import schemathesis

    described = schemathesis.openapi.from_dict(DOCUMENT)
    stumbled = {}
    for method, path in OPERATIONS:
        known = world(server)
        for mode in modes(method, path):
            try:
                attempt(described[path][method], mode, known, server)
            except Exception as error:  # the other calls are tried all the same
                stumbled[f"{method} {path}, {mode}"] = f"{type(error).__name__}: {error}"

    assert not stumbled, "\n\n".join(f"{call}\n{problem}" for call, problem in stumbled.items())


def attempt(operation: Any, mode: str, known: dict[str, str], server: Server) -> None:
    """Some calls of one operation; raises if an answer is not as described."""
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi import checks

    real = {name: known[name] for name in ("table", "code", "game") if f"{{{name}}}" in operation.path}
    token = known["token"]
    if "/admin/" in operation.path:
        token = json.loads((server.data / "server.json").read_text())["token"]
    cases = operation.as_strategy(generation_mode=GenerationMode(mode), path_parameters=real or None)

    @settings(max_examples=EXAMPLES, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(cases)
    def attempt(case: Any) -> None:
        case.query.pop("wait", None)  # a long poll would take too long
        headers = {"Authorization": f"Bearer {token}"}
        answer = case.call(base_url=server.base, headers=headers, timeout=PATIENCE)
        if answer.status_code == 431:  # the guard's own answer: the head was too large
            return
        assert answer.status_code != 500, answer.text
        described = (
            checks.content_type_conformance,
            checks.response_schema_conformance,
            checks.status_code_conformance,
        )
        case.validate_response(answer, checks=[*described])

    attempt()
