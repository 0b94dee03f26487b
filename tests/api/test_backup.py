"""The drill: everything but the users' files is lost, and comes back from one file."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from deploy.up import redis_command
from tests.api.conftest import serving
from tests.api.paying import buyer
from tests.stack import ROOT, free_port, wait_for


@contextmanager
def redis_in(folder: Path, port: int) -> Iterator[redis.Redis]:
    """A Redis like this machine's own, with its files below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    command = redis_command(port)
    command[command.index("--dir") + 1] = str(folder)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process, redis.Redis(port=port) as client:
        wait_for(lambda: _answers(client))
        yield client
        process.terminate()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def backup(verb: str, file: Path, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "deploy.backup", verb, str(file)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_all_is_lost_and_comes_back(tmp_path: Path, kind: str, new_postgres: Callable[[], str]) -> None:
    data, port, file = tmp_path / "data", free_port(), tmp_path / "papercrane.tar"
    cluster = {"DATA": str(data), "REDIS": f"redis://127.0.0.1:{port}/0"}
    sql = {"DATABASE": new_postgres()} if kind == "postgresql" else {}
    data.mkdir()
    with redis_in(data / "redis", port), serving(tmp_path, cluster=cluster, **sql) as server:
        someone = buyer(server)
        someone.buy()
        task = someone.browser.task()
        saved = backup("save", file, server.environment)
        assert saved.returncode == 0, saved.stderr
        before = someone.member(), someone.browser.view(task)
        again = backup("restore", file, server.environment)
        assert again.returncode and "already" in again.stderr, "nothing that is there is written over"
    assert file.stat().st_mode & 0o077 == 0

    shutil.rmtree(data / "redis")
    for each in (*data.glob("papercrane.db*"), data / "secret"):
        each.unlink(missing_ok=True)
    environment = {**server.environment, **({"PAPERCRANE_API_DATABASE": new_postgres()} if sql else {})}
    restored = backup("restore", file, environment)
    assert restored.returncode == 0, restored.stderr

    sql = {"DATABASE": environment["PAPERCRANE_API_DATABASE"]} if sql else {}
    port_again = {"PORT": environment["PAPERCRANE_API_PORT"]}
    with redis_in(data / "redis", port) as client, serving(tmp_path, cluster=cluster, **port_again, **sql):
        assert (someone.member(), someone.browser.view(task)) == before, "the session, the membership, the waiting task"
        assert client.ttl(f"sessions:{_owner(client)}") > 0 and client.zcard("due")


def _owner(client: redis.Redis) -> str:
    (found, *_) = client.scan_iter("sessions:*")
    return found.decode().partition(":")[2]


@pytest.mark.parametrize(("verb", "words"), [("save", "PAPERCRANE_DATA"), ("restore", "no backup")])
def test_what_does_not_work_says_why(tmp_path: Path, verb: str, words: str) -> None:
    file = tmp_path / "a.tar"
    if verb == "restore":
        file.write_bytes(b"PK")
    environment = {**os.environ, "PAPERCRANE_DATA": str(tmp_path)}
    said = backup(verb, file, environment)
    assert said.returncode and words in said.stderr and "Traceback" not in said.stderr, said.stderr
    assert verb == "restore" or not list(tmp_path.glob("*.tar*")), "no half backup"
