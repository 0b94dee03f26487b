"""The whole product started as an operator starts it, and a person's way through it over HTTP."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import boto3
import httpx
import psutil
from botocore.config import Config

from tests.signing_in import code_for, new_account

ROOT = Path(__file__).resolve().parent.parent
ENDED = {3, 4, 5, 6}


def free_port() -> int:
    """A port that nobody uses now, nor gets by chance later: outside what the system and Ray hand out."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


Found = TypeVar("Found")


def wait_for(look: Callable[[], Found], seconds: float = 180) -> Found:
    """What `look` finds at last; for what tells nobody when it comes about, and on a busy machine late."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)
    return found


@dataclass
class Stack:
    """`python -m deploy.up`, or what starts it, with its own data folder and ports."""

    data: Path
    environment: dict[str, str]
    process: "subprocess.Popen[str] | None" = None
    command: tuple[str, ...] = (sys.executable, "-m", "deploy.up")

    @property
    def log(self) -> Path:
        """What the API writes, one-time passwords too."""
        return self.data / "log" / "api.log"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.environment['PAPERCRANE_API_PORT']}"

    def start(self) -> None:
        """Start and wait for the printed address."""
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout
        printed = []
        for line in self.process.stdout:
            printed.append(line)
            if self.address in line:
                return
        raise AssertionError(f"did not start: {''.join(printed)}{self._ends_of_logs()}")

    def _ends_of_logs(self) -> str:
        logs = sorted((self.data / "log").glob("*.log"))
        return "".join(f"{log.name}:\n{log.read_text(errors='replace')[-2000:]}\n" for log in logs)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop as Ctrl-C or kill does; the exit status."""
        assert self.process
        self.process.send_signal(number)
        status = self.process.wait(60)
        assert self.process.stdout
        self.process.stdout.close()
        return status

    def processes(self, *words: str) -> list[psutil.Process]:
        """Living processes below this stack whose command line holds every word."""
        assert self.process
        found = []
        for each in psutil.Process(self.process.pid).children(recursive=True):
            try:
                if each.status() != psutil.STATUS_ZOMBIE and all(word in " ".join(each.cmdline()) for word in words):
                    found.append(each)
            except psutil.NoSuchProcess:
                continue
        return found

    def kill(self, *words: str) -> None:
        """SIGKILL what `processes` finds, as soon as it finds something."""
        found = wait_for(lambda: self.processes(*words), 10)
        for process in found:
            with suppress(psutil.NoSuchProcess):  # it ended by itself meanwhile
                process.kill()
        psutil.wait_procs(found, timeout=10)


def s3_of(address: str, grant: dict[str, Any]) -> Any:
    """A foreign S3 client with the keys of a grant."""
    keys = grant["credentials"]
    return boto3.client(
        "s3",
        endpoint_url=str(httpx.URL(address).join(grant["endpoint"])),
        region_name=grant["region"],
        aws_access_key_id=keys["accessKeyId"],
        aws_secret_access_key=keys["secretAccessKey"],
        aws_session_token=keys["sessionToken"],
        config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
    )


@contextmanager
def started(data: Path, **environment: str) -> Iterator[Stack]:
    """A stack with free ports, stopped whole at the end."""
    own = {
        "PAPERCRANE_DATA": str(data),
        "PAPERCRANE_API_PORT": str(free_port()),
        "PAPERCRANE_REDIS": f"redis://127.0.0.1:{free_port()}/0",
        "PAPERCRANE_RAY_PORT": str(free_port()),
        "PAPERCRANE_LEASE": "4",
        # One person cannot test a day's tries away.
        "PAPERCRANE_API_VISITOR_TRIES": "100000",
        "PAPERCRANE_API_ADDRESS_TRIES": "100000",
        "PAPERCRANE_API_ADDRESS_CODES": "100000",
        "PAPERCRANE_API_ADDRESS_GUESSES": "100000",
        "PAPERCRANE_API_ADDRESS_TICKETS": "100000",
        "PAPERCRANE_API_ADDRESS_VISITORS": "100000",
        "PAPERCRANE_API_VISITOR_DOCUMENTS": "50",
        "PAPERCRANE_API_VISITOR_DOWNLOADS": "1000",
        "PAPERCRANE_API_VISITOR_BYTES": str(4 << 30),
        "PAPERCRANE_API_VISITOR_PAGES": "20000",
    }
    stack = Stack(data, own | environment)
    stack.start()
    try:
        yield stack
    finally:
        stack.stop()


@dataclass
class Person:
    """A visitor with a browser's cookies, speaking to the API."""

    address: str
    language: str = "zh"
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        headers = {"Web-Tag": "papercrane", "Accept-Language": self.language}
        self.http = httpx.Client(base_url=self.address, headers=headers, timeout=60)

    def call(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """The envelope; the Access-Token header follows the cookie as the site's client does."""
        token = self.http.cookies.get("access_token")
        headers = {"Access-Token": token} if token else {}
        answer = self.http.request(method, path, headers={**headers, **more.pop("headers", {})}, **more)
        found: dict[str, Any] = answer.json()
        return found

    def get(self, path: str, **query: Any) -> Any:
        """The data of a GET that must succeed."""
        answer = self.call("GET", path, params=query)
        assert answer["code"] == 200, answer
        return answer["data"]

    def sign_in(self, log: Path, account: str = "") -> dict[str, Any]:
        """Sign in with the code from the server's log (`Stack.log`); the user."""
        name = account or new_account()
        self.get("/api/user/user/sendDynamicPwd", account=name)
        return dict(self.get("/api/user/user/dynamicPwdLogin", account=name, pwd=code_for(log, name))["user"])

    def upload(self, *paths: Path, names: dict[int, str] | None = None, **more: Any) -> list[dict[str, Any]]:
        """Put files into storage as a foreign S3 client does; what createTask takes."""
        size = sum(path.stat().st_size for path in paths)
        grant = self.get("/api/file/upload/getStsCredentials", files=len(paths), bytes=max(1, size))
        s3 = s3_of(self.address, grant)
        files = []
        for number, path in enumerate(paths):
            key = f"{grant['prefix']}{secrets.token_hex(8)}"
            s3.upload_file(str(path), grant["bucket"], key)
            files.append({"key": key, "name": (names or {}).get(number, path.name), **more})
        return files

    def create(self, tool: int, files: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
        """createTask's envelope."""
        return self.call("POST", "/api/task/task/createTask", json={"toolId": tool, "files": files, "options": options})

    def task(self, task: str) -> dict[str, Any]:
        """The task's JSON now."""
        (found,) = self.get("/api/task/task/getUserTasks", taskId=task)["items"]
        return dict(found)

    def follow(self, task: str, until: Callable[[dict[str, Any]], bool] | None = None, seconds: float = 120) -> Any:
        """Follow the task's events until it ends (or `until` says so); the last state."""
        stop = until or (lambda state: state["status"] in ENDED)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                for state in self._events(task, deadline):
                    if stop(state):
                        return state
            except httpx.HTTPError:
                continue  # the API was killed: the page asks again, and so do we
        raise AssertionError(f"task did not get there: {self.task(task)}")

    def _events(self, task: str, deadline: float) -> Iterator[dict[str, Any]]:
        token = self.http.cookies.get("access_token") or ""
        query = {"taskId": task}
        with self.http.stream(
            "GET", "/api/task/task/events", params=query, headers={"Access-Token": token}, timeout=30
        ) as stream:
            for line in stream.iter_lines():
                if line.startswith("data:"):
                    yield json.loads(line[5:])
                if time.monotonic() > deadline:
                    return

    def perform(self, tool: int, *paths: Path, seconds: float = 120, **options: Any) -> dict[str, Any]:
        """Upload, create, follow to the end."""
        answer = self.create(tool, self.upload(*paths), **options)
        assert answer["code"] == 200, answer
        return dict(self.follow(answer["data"]["taskId"], seconds=seconds))

    def download(self, task: dict[str, Any], folder: Path, index: int | None = 0) -> Path:
        """The result file as a browser saves it."""
        query = {"taskId": task["taskId"]} | ({} if index is None else {"index": index})
        info = self.get("/api/file/download/getDownloadInfo", **query)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / info["name"]
        with self.http.stream("GET", info["url"]) as answer, path.open("wb") as target:
            assert answer.status_code == 200, answer.status_code
            for chunk in answer.iter_bytes():
                target.write(chunk)
        return path
