"""The dashboard and the alerts that we ship speak of numbers that the server really tells."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from cluster import queue
from cluster.task import Status, Trouble
from tests.api.conftest import Server, Visitor, claim_of, end_task
from tests.api.paying import buyer, press
from tests.conftest import wait_until

MONITORING = Path(__file__).resolve().parent.parent.parent / "deploy" / "monitoring"


def expressions() -> Iterator[tuple[str, str]]:
    """Everything that asks for numbers: where it stands, and its PromQL."""
    for group in yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    for panel in json.loads((MONITORING / "grafana.json").read_text())["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


@pytest.fixture
def told(server: Server, visitor: Visitor, tmp_path: Path) -> dict[str, set[str]]:
    """Names of samples and their labels, after one of everything has happened."""
    end_task(visitor.task(), tmp_path, status=Status.FAIL, trouble=Trouble("damaged_file", {}, 0))
    queue.release(claim_of(visitor.task()), "test-slot")
    press(buyer(server).order("alipay"), "pay")
    wait_until(lambda: b"/s3/" in httpx.get(f"{server.address}/metrics").content, what="the upload's count")
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(httpx.get(f"{server.address}/metrics").text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_every_number_asked_for_is_told(told: dict[str, set[str]]) -> None:
    wrong = []
    for where, expression in expressions():
        asked = re.findall(r"(papercrane_\w+)(?:\{([^}]*)\})?", expression)
        assert asked, where
        for name, chosen in asked:
            labels = set(re.findall(r"(\w+)\s*[!=]~?", chosen))
            if name not in told or not labels <= told[name]:
                wrong.append((where, name, labels))
    assert wrong == []


def test_what_is_told_apart_exists(told: dict[str, set[str]]) -> None:
    """`by (…)` of a label that no sample has would silently show one line."""
    known = {label for labels in told.values() for label in labels} | {"le"}
    for where, expression in expressions():
        for names in re.findall(r"(?:by|on) \(([^)]*)\)", expression):
            assert {name.strip() for name in names.split(",")} <= known, where


def test_alerts_fire_for_what_they_are_meant_for() -> None:
    """Prometheus' own rule tests; each alert is tried."""
    tried = yaml.safe_load((MONITORING / "alerts.test.yaml").read_text())["tests"]
    fired = {each["alertname"] for test in tried for each in test["alert_rule_test"] if each["exp_alerts"]}
    assert fired == alerts()
    if shutil.which("promtool") is None:
        assert not os.environ.get("CI"), "Prometheus is not installed"
        pytest.skip("Prometheus is not installed")
    asked = ["promtool", "test", "rules", MONITORING / "alerts.test.yaml"]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_each_alert_has_its_runbook() -> None:
    written = set(re.findall(r"^## (\w+)$", (MONITORING / "RUNBOOKS.md").read_text(), re.MULTILINE))
    assert written == alerts()


#: What the dashboard shows, and by what it is told apart there.
SHOWN = (
    ("papercrane_waiting_parts", "lane"),
    ("papercrane_oldest_waiting_seconds", ""),
    ("papercrane_slots", "lane"),
    ("papercrane_tasks_total", "reason"),
    ("papercrane_tool_working_seconds_bucket", "tool"),
    ("papercrane_orders_fen", "wallet"),
    ("papercrane_sweeper_lag_seconds", ""),
)


@pytest.mark.parametrize(("number", "by"), SHOWN)
def test_the_dashboard_shows_it(number: str, by: str) -> None:
    panels = json.loads((MONITORING / "grafana.json").read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"] if number in target["expr"]]
    assert any(re.search(rf"\bby \([^)]*\b{by}\b", each) if by else each == number for each in asked)


def alerts() -> set[str]:
    groups = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    return {rule["alert"] for group in groups for rule in group["rules"]}
