"""Starting and stopping as an operator does: one address, a sentence for each trouble, nothing left behind."""

import os
import signal
import socket
import subprocess
import sys

import httpx
import psutil
import pytest

from tests.stack import ROOT, free_port, started


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_leaves_no_process(tmp_path, number):
    with started(tmp_path / "data") as stack:
        assert httpx.get(stack.address).status_code == 200
        assert httpx.get(stack.address + "/readyz").status_code == 200
        running = stack.processes()
        assert len(running) > 10
        stack.stop(number)
        _, alive = psutil.wait_procs(running, timeout=5)
        assert alive == []
        stack.start()  # what was stopped starts again on the same data


def up(**environment: str) -> str:
    """What `python -m deploy.up` says when it cannot start."""
    ended = subprocess.run(
        [sys.executable, "-m", "deploy.up"], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize("variable", ["PAPERCRANE_API_PORT", "PAPERCRANE_RAY_PORT"])
def test_a_port_in_use_is_named_with_its_variable(tmp_path, variable):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        own = {"PAPERCRANE_DATA": str(tmp_path), "PAPERCRANE_REDIS": f"redis://127.0.0.1:{free_port()}/0"}
        said = up(**own, **{variable: port})
    assert port in said
    assert variable in said


def test_a_missing_program_is_named_with_its_package(tmp_path):
    said = up(PAPERCRANE_DATA=str(tmp_path), PATH=str(tmp_path))
    assert "redis-server is missing" in said


def test_a_setting_that_does_not_fit_is_named(tmp_path):
    assert "PAPERCRANE_LEASE" in up(PAPERCRANE_DATA=str(tmp_path), PAPERCRANE_LEASE="soon")
