"""The alert rules for Prometheus: `promtool` accepts them, and each fires when it has to."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from facedown.server.services import open_services
from facedown.server.settings import Settings
from tests.needs import without

pytestmark = pytest.mark.anyio
RULES = Path(__file__).parents[3] / "deploy" / "prometheus" / "alerts.yml"
HERE = 'instance="a", job="facedown"'
ROUTE = "/api/v1/tables/{table}/commands"

FIRES: dict[str, list[tuple[str, str]]] = {
    "FacedownNoServer": [(f"up{{{HERE}}}", "0x120")],
    "FacedownStoreCannotWrite": [(f"facedown_beat_age_seconds{{{HERE}}}", "60x120")],
    "FacedownWritesFail": [(f"facedown_store_failures_total{{{HERE}}}", "0+1x120")],
    "FacedownWorkFails": [(f"facedown_work_failing{{{HERE}}}", "1x120")],
    "FacedownDiskAlmostFull": [
        (f"facedown_disk_free_bytes{{{HERE}}}", "4x120"),
        (f"facedown_disk_bytes{{{HERE}}}", "100x120"),
    ],
    "FacedownClockUncertain": [(f"facedown_clock_seconds{{{HERE}}}", "60+60x120")],
    "FacedownErrors": [
        (f'facedown_requests_total{{{HERE}, status="503"}}', "0+3x120"),
        (f'facedown_requests_total{{{HERE}, status="200"}}', "0+97x120"),
    ],
    "FacedownSlowAcknowledgements": [
        (f'facedown_request_seconds_bucket{{{HERE}, route="{ROUTE}", le="1"}}', "0+9x120"),
        (f'facedown_request_seconds_bucket{{{HERE}, route="{ROUTE}", le="2.5"}}', "0+10x120"),
        (f'facedown_request_seconds_bucket{{{HERE}, route="{ROUTE}", le="+Inf"}}', "0+10x120"),
    ],
    "FacedownBackupTooOld": [(f"facedown_backup_timestamp_seconds{{{HERE}}}", "-999999x120")],
    "FacedownTablesBroken": [(f"facedown_tables_broken{{{HERE}}}", "1x120")],
}
"""The series after which each alert fires, two hours long."""
QUIET = [
    (f"up{{{HERE}}}", "1x120"),
    (f"facedown_beat_age_seconds{{{HERE}}}", "2x120"),
    (f"facedown_disk_free_bytes{{{HERE}}}", "50x120"),
    (f"facedown_disk_bytes{{{HERE}}}", "100x120"),
    (f"facedown_clock_seconds{{{HERE}}}", "0+60x120"),
    (f"facedown_backup_timestamp_seconds{{{HERE}}}", "0x120"),
    (f'facedown_requests_total{{{HERE}, status="200"}}', "0+97x120"),
]
"""A healthy server."""


def promtool(*arguments: str) -> None:
    found = shutil.which("promtool")
    if found is None:
        without("promtool is not installed: apt install prometheus")
    run = subprocess.run([found, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def case(series: list[tuple[str, str]], expected: dict[str, bool]) -> dict[str, Any]:
    tests = [{"expr": f'count(ALERTS{{alertname="{name}", alertstate="firing"}}) > 0'} for name in expected]
    for each, fires in zip(tests, expected.values(), strict=True):
        each |= {"eval_time": "110m", "exp_samples": [{"labels": "{}", "value": 1}] if fires else []}  # type: ignore[dict-item]
    inputs = [{"series": name, "values": values} for name, values in series]
    return {"interval": "1m", "input_series": inputs, "promql_expr_test": tests}


def test_each_alert_fires_and_a_healthy_server_is_quiet(tmp_path: Path) -> None:
    named = set(re.findall(r"alert: (\w+)", RULES.read_text()))
    assert named == set(FIRES)
    whole = {
        "rule_files": [str(RULES)],
        "tests": [
            case(QUIET, dict.fromkeys(FIRES, False)),
            *(case(series, {name: True}) for name, series in FIRES.items()),
        ],
    }
    (tmp_path / "tests.yml").write_text(json.dumps(whole))

    promtool("check", "rules", str(RULES))
    promtool("test", "rules", str(tmp_path / "tests.yml"))


async def test_the_rules_name_metrics_that_a_server_has(tmp_path: Path) -> None:
    services = open_services(Settings(data=tmp_path))
    page = services.metrics.page().decode()
    await services.close()

    named = set(re.findall(r"\b(facedown_\w+)\{", RULES.read_text()))
    known = set(re.findall(r"^# TYPE (\w+)", page, re.M))
    assert {each.removesuffix("_bucket").removesuffix("_total") for each in named} <= {
        each.removesuffix("_total") for each in known
    }
