"""Starting and stopping as an operator does: one address, a sentence for each trouble, nothing left behind."""

import json
import os
import signal
import socket
import subprocess
import sys

import httpx
import psutil
import pytest
import redis

from api.settings import read as api_read
from cluster.settings import read
from deploy.up import LONGEST_PAUSE, MEMORY, Child, start
from tests.make_office import docx
from tests.stack import ROOT, Person, free_port, started, wait_for

WORD_TO_PDF, SUCCESS = 6, 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_leaves_no_process(tmp_path, number):
    with started(tmp_path / "data") as stack:
        assert httpx.get(stack.address, timeout=60).status_code == 200
        told = httpx.get(stack.address + "/readyz", timeout=60)
        assert told.status_code == 200
        assert told.json()["data"]["quotas"].keys() == {"watching"}, "no control group is ours by default"
        lines = map(json.loads, (stack.data / "log" / "slots.log").read_text().splitlines())
        assert {each["by"] for each in lines if each["event"] == "quotas"} == {"watching"}
        running = stack.processes()
        assert len(running) > 10
        person, record = Person(stack.address), redis.Redis.from_url(stack.environment["PAPERCRANE_REDIS"])
        # LibreOffice is up then, so that what the slot holds takes less than it gets to end that.
        assert person.perform(WORD_TO_PDF, docx(tmp_path / "b.docx", ["纸鹤"]))["status"] == SUCCESS
        (letter,) = person.upload(docx(tmp_path / "a.docx", ["纸鹤 papercrane"] * 400))
        task = person.create(WORD_TO_PDF, [letter])["data"]["taskId"]
        wait_for(lambda: record.hget(f"task:{task}", "p0.fence"))
        assert stack.stop(number) == 0
        _, alive = psutil.wait_procs(running, timeout=5)
        assert alive == []
        if number == signal.SIGTERM:  # what was stopped starts again on the same data
            stack.command = ("sh", "deploy/run.sh")  # as the guide says; all is set up, so that it only starts
            page = ROOT / "site/dist/index.html"
            built = page.stat().st_mtime_ns
            stack.start()
            assert page.stat().st_mtime_ns == built, "nothing is built anew under those who read it"
            assert httpx.get(stack.address + "/readyz", timeout=60).status_code == 200
            assert person.follow(task)["status"] == SUCCESS
            assert record.hget(f"task:{task}", "p0.fence") == b"1", "a slot ended what it held before it went"
            assert person.perform(WORD_TO_PDF, tmp_path / "a.docx")["status"] == SUCCESS, "who starts again works"


def up(*role: str, **environment: str) -> str:
    """What `python -m deploy.up` says when it cannot start."""
    free = {name: str(free_port()) for name in ("PAPERCRANE_API_PORT", "PAPERCRANE_RAY_PORT")}
    free["PAPERCRANE_REDIS"] = f"redis://127.0.0.1:{free_port()}/0"
    command, environment = [sys.executable, "-m", "deploy.up", *role], os.environ | free | environment
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PAPERCRANE_API_PORT", "{}"), ("PAPERCRANE_RAY_PORT", "{}"), ("PAPERCRANE_REDIS", "redis://127.0.0.1:{}/0")],
)
def test_a_port_in_use_is_named_with_its_variable(tmp_path, variable, value):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = up(PAPERCRANE_DATA=str(tmp_path), **{variable: value.format(port)})
    assert f"Port {port} is in use" in said
    assert f"set {variable} to" in said


def test_a_missing_program_is_named_with_its_package(tmp_path):
    said = up(PAPERCRANE_DATA=str(tmp_path), PATH=str(tmp_path))
    assert "redis-server is missing" in said


def test_a_setting_that_does_not_fit_is_named(tmp_path):
    assert "PAPERCRANE_LEASE" in up(PAPERCRANE_DATA=str(tmp_path), PAPERCRANE_LEASE="soon")
    own = {"PAPERCRANE_DATA": str(tmp_path), "PAPERCRANE_CGROUP": str(tmp_path)}
    assert "is no control group of ours" in up("join", "127.0.0.1", **own), "slots would die there one after another"


def test_a_setting_comes_from_a_file(tmp_path):
    """A secret in a file is not in the environment, which whoever may look at the process can read."""
    secret = tmp_path / "secret"
    secret.write_text("s" * 32 + "\n")
    given = {"PAPERCRANE_ENV": "production", "PAPERCRANE_SECRET_FILE": str(secret)}
    assert read(given).secret == "s" * 32
    database = {"PAPERCRANE_API_DATABASE_FILE": str(secret), "PAPERCRANE_API_MEMBER_TRIES_FILE": str(secret)}
    with pytest.raises(SystemExit, match="PAPERCRANE_API_MEMBER_TRIES"):
        api_read(database)
    with pytest.raises(SystemExit, match="PAPERCRANE_SECRET and PAPERCRANE_SECRET_FILE"):
        read(given | {"PAPERCRANE_SECRET": "other"})
    secret.unlink()
    with pytest.raises(SystemExit, match=r"PAPERCRANE_SECRET_FILE=.* cannot be read: FileNotFoundError"):
        read(given)


def test_slots_alone_work_where_redis_and_the_api_are_elsewhere(tmp_path, redis_server):
    address = redis_server.rpartition("/")[0] + "/1"
    token = tmp_path / "token"
    token.write_text("5" * 64)
    own = {"PAPERCRANE_DATA": str(tmp_path / "data"), "PAPERCRANE_REDIS": address, "PAPERCRANE_TOKEN": str(token)}
    own |= {"PAPERCRANE_RAY_PORT": str(free_port()), "PAPERCRANE_SLOTS": "heavy=1"}
    command = [sys.executable, "-m", "deploy.up", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | own, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout and "ready: worker" in process.stdout.readline()
            record = redis.Redis.from_url(address)
            wait_for(lambda: record.zcard("slots:heavy") == 1)
            probe = [sys.executable, "-m", "deploy.healthy", "tcp://ray"]
            assert subprocess.run(probe, cwd=ROOT, env=os.environ | own, check=False).returncode == 0
            running = psutil.Process(process.pid).children(recursive=True)
        finally:
            process.terminate()
    assert process.returncode == 0
    assert psutil.wait_procs(running, timeout=5)[1] == []
    assert subprocess.run(probe, cwd=ROOT, env=os.environ | own, check=False).returncode == 1


def test_a_role_needs_what_it_needs(tmp_path):
    own = {"PAPERCRANE_DATA": str(tmp_path)}
    assert "join needs the address" in up("join", **own)
    assert "nothing else does" in up("worker", "127.0.0.1", **own)
    assert "expected lanes, e.g. quick=4" in up("worker", PAPERCRANE_SLOTS="fast=3", **own)
    assert "soffice is missing" in up("join", "127.0.0.1", PATH=str(tmp_path), **own)


@pytest.mark.parametrize("tries", [1, 2])
def test_what_a_busy_machine_kills_at_first_is_tried_again(tmp_path, monkeypatch, tries):
    """Ray's own waits end while it starts, and with them who would join it."""
    monkeypatch.setattr(Child, "log", tmp_path / "log")
    there, lives = tmp_path / "there", tmp_path / "lives"
    command = ["sh", "-c", f"test -e {there} && touch {lives} && exec sleep 600; touch {there}; exit 1"]
    child = Child("ray", command, lives.exists, tries=tries)
    try:
        if tries == 1:
            with pytest.raises(SystemExit, match="ray did not start"):
                start([child])
        else:
            start([child])
        assert child.running == (tries > 1)
    finally:
        child.signal(signal.SIGKILL)


def test_what_keeps_dying_is_started_again_after_growing_pauses():
    """Never given up: whoever frees the disk need not start anything."""
    child = Child("redis", [], lambda: True)
    assert [child.mourn() for _ in range(9)] == [0, 1, 2, 4, 8, 16, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]
    child.deaths = [each - MEMORY for each in child.deaths]
    assert child.mourn() == 0
