"""Start everything on this machine, keep it running, stop it whole: `python -m deploy.up`.

    python -m deploy.up                  Redis, Ray, the lanes and the API: one machine
    python -m deploy.up worker           Ray's head and the lanes, where Redis and the APIs are elsewhere
    python -m deploy.up join ADDRESS     another machine's slots for the cluster whose head is at ADDRESS
    python -m deploy.up keep             the lanes alone, beside a Ray that was started otherwise

What it starts are children of this process. One that dies is started again, after growing
pauses when it dies again and again (a full disk), for ever. Their logs are kept short. Ctrl-C or SIGTERM stops all
of them and everything they started; at SIGTERM slots end what they hold first, for DRAIN seconds at most.
"""

import argparse
import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from api import production
from api.settings import settings as api_settings
from cluster import queue
from cluster.log import rotate
from cluster.queue import master
from cluster.room import has_room, keep_private, reserve
from cluster.settings import ROOT, settings
from cluster.worker import quota
from deploy import node

READY_SECONDS = 180
#: Ray gives itself 30 s to start and to be joined, which a busy machine may take; so often it is tried.
RAY_TRIES = 3
#: A child that died is started again at once; one that died again within MEMORY after 1, 2, 4 … LONGEST_PAUSE seconds.
MEMORY = 300
LONGEST_PAUSE = 30
#: Seconds in which slots end what they hold at SIGTERM: compose kills after 30 (stop_grace_period).
DRAIN = 12.0
#: Seconds between looks at how long the logs have become.
ROTATE_EVERY = 30


_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
#: Which of the children a machine runs: everything; Ray's head and the lanes' keeper; a node of another's cluster; the
#: keeper beside a Ray that somebody else started (`ray up`).
ROLES = {"all": ("redis", "ray", "api", "worker"), "worker": ("ray", "worker"), "join": ("ray",), "keep": ("worker",)}


@dataclass
class Child:
    """One process group. `ready` says when what needs it may start; `before` is done ahead of its first start.

    `port` is where it listens on this machine, and the variable that sets it.
    """

    name: str
    command: list[str]
    ready: Callable[[], bool]
    needs: tuple[str, ...] = ()
    before: Callable[[], None] = lambda: None
    port: tuple[int, str] | None = None
    #: How often it is started before this machine gives up.
    tries: int = 1
    process: "subprocess.Popen[bytes] | None" = None
    deaths: list[float] = field(default_factory=list)
    #: When it is started again, once its death was noticed.
    due: float | None = None

    @property
    def log(self) -> Path:
        return settings().data / "log" / f"{self.name}.log"

    def start(self, environment: dict[str, str]) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def mourn(self) -> float:
        """Note that it died now; the seconds until it is started again."""
        now = time.monotonic()
        self.deaths = [each for each in self.deaths if now - each < MEMORY] + [now]
        pause = min(LONGEST_PAUSE, 2 ** (len(self.deaths) - 2)) if len(self.deaths) > 1 else 0
        self.due = now + pause
        return pause

    def signal(self, number: int) -> None:
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.up")
    parser.add_argument("role", nargs="?", choices=ROLES, default="all")
    parser.add_argument("head", nargs="?", help="for join: the address of the cluster's first machine")
    chosen = parser.parse_args()
    if (chosen.role == "join") != bool(chosen.head):
        parser.error("join needs the address of the cluster's first machine, and nothing else does")
    if chosen.role == "all":
        production.check()
    keep_private()
    for name in ("log", "redis"):
        (settings().data / name).mkdir(exist_ok=True)
    children = _children(chosen.role, chosen.head)
    _check_machine(children)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        start(children)
        _rest(children, on=False)
        _say(f"Papercrane is ready: {address() if chosen.role == 'all' else chosen.role}")
        _watch(children)
    except KeyboardInterrupt as told:
        if told.args == (signal.SIGTERM,):
            _drain(children)
    finally:
        _end(children)


def _rest(children: list[Child], on: bool) -> bool:
    """Let the slots of this machine claim nothing more, or claim again; whether Redis has heard it."""
    if not any(child.name == "ray" for child in children):
        return False
    with contextlib.suppress(RedisError, OSError):
        # A Redis that is away is not waited for, as everybody else does.
        with master.client(socket_timeout=2, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0)) as client:
            client.ping()
        queue.rest(settings().node, on=on)
        return True
    return False


def _drain(children: list[Child]) -> None:
    """Let slots end what they hold; what takes longer is claimed by others once its lease is over."""
    until = time.monotonic() + DRAIN
    with contextlib.suppress(RedisError, OSError, KeyboardInterrupt):
        held = _rest(children, on=True)
        while held and queue.held_on(settings().node) and time.monotonic() < until:
            time.sleep(0.1)


def _watch(children: list[Child]) -> None:
    """Keep the children running and their logs short, for ever."""
    rotated = 0.0
    while True:
        _bury({child.process.pid for child in children if child.process})
        _revive(children)
        if time.monotonic() - rotated > ROTATE_EVERY:
            rotated = time.monotonic()
            _rotate()
        time.sleep(0.2)


def _rotate() -> None:
    for file in (settings().data / "log").glob("*.log"):
        with contextlib.suppress(OSError):  # no room for the copy: later
            rotate(file)


def _say(words: str) -> None:
    with contextlib.suppress(OSError):  # whoever listened is gone, or what we write to is full
        print(words, flush=True)


def address() -> str:
    """Where the site and /api answer."""
    return f"http://127.0.0.1:{api_settings().port}"


def _children(role: str, head: str | None) -> list[Child]:
    python, redis = sys.executable, urlsplit(settings().redis)
    port = redis.port or 6379
    ray = node.RAY_PORT + 1 if head else node.RAY_PORT
    children = [
        Child("redis", redis_command(port), lambda: _answers(port), port=(port, "PAPERCRANE_REDIS")),
        Child(
            "ray",
            node.member(head) if head else node.head(),
            lambda: _answers(ray, node.NODE_IP),
            port=(ray, "PAPERCRANE_RAY_PORT"),
            tries=RAY_TRIES,
        ),
        Child(
            "api",
            [python, "-m", "api"],
            lambda: _ok("/healthz"),
            ("redis",),
            port=(api_settings().port, "PAPERCRANE_API_PORT"),
        ),
        # Slots of an earlier run would count as ready until their lease ends.
        Child(
            "worker",
            [python, "-m", "cluster.worker"],
            lambda: _ok("/readyz") if role == "all" else True,
            ("redis", "ray", "api"),
            before=queue.forget_slots,
            tries=RAY_TRIES,
        ),
    ]
    elsewhere = {"redis"} if settings().sentinels or redis.hostname not in ("127.0.0.1", "localhost") else set()
    return [child for child in children if child.name in ROLES[role] and child.name not in elsewhere]


def redis_command(port: int) -> list[str]:
    """This machine's own Redis, whose files are in the data folder."""
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(settings().data / "redis")]
    # With "everysec" a slow disk lets Redis answer up to two seconds before it writes; SIGKILL then loses an
    # accepted task. "always" writes what one round of its loop took, together, before it answers.
    return [*command, "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--daemonize", "no"]


def _check_machine(children: list[Child]) -> None:
    names = {child.name for child in children}
    for program, package, of in (
        ("redis-server", "redis-server", "redis"),
        ("soffice", "libreoffice-writer-nogui", "ray" if "office" in node.slots() else ""),
    ):
        if of in names and not shutil.which(program):
            raise SystemExit(f"{program} is missing. Run `sh deploy/run.sh`, or install the package {package}.")
    if not has_room():
        _say(
            f"Less than {reserve() >> 20} MiB is free at {settings().data}: until there is more, uploads and "
            "new tasks are refused. Free some space, set PAPERCRANE_DATA to another disk, or PAPERCRANE_RESERVE lower."
        )
    if "ray" in names:  # its slots are here
        quota.check()
    for port, variable in (child.port for child in children if child.port):
        if _answers(port):
            raise SystemExit(f"Port {port} is in use. Stop what uses it, or set {variable} to use another one.")


def start(children: list[Child]) -> None:
    """Start each as soon as what it needs is ready, and wait for all. Raises SystemExit when one does not start."""
    until = time.monotonic() + READY_SECONDS
    waiting = list(children)
    started: list[Child] = []
    while waiting or not all(child.ready() for child in started):
        ready = {child.name for child in started if child.ready()}
        for child in [each for each in waiting if ready.issuperset(set(each.needs) & {c.name for c in children})]:
            child.before()
            child.start(node.environment())
            started.append(child)
            waiting.remove(child)
        for child in (each for each in started if not each.running):
            child.deaths.append(time.monotonic())
            if len(child.deaths) >= child.tries:
                raise SystemExit(f"{child.name} did not start; see {child.log}")
            child.signal(signal.SIGKILL)
            child.start(node.environment())
        if time.monotonic() > until:
            late = ", ".join(child.name for child in children if child not in started or not child.ready())
            raise SystemExit(f"Not ready after {READY_SECONDS} s: {late}. See the logs in {settings().data}/log.")
        time.sleep(0.1)


def _revive(children: list[Child]) -> None:
    for child in (each for each in children if not each.running):
        if child.due is None:
            pause = child.mourn()
            _say(f"{child.name} died and is started again{f' in {pause} s; see {child.log}' if pause else ''}")
        elif time.monotonic() >= child.due:
            _restart(child)
            if child.name == "ray":  # the slots of the old cluster are gone with it
                for each in (each for each in children if each.name == "worker"):
                    each.signal(signal.SIGKILL)


def _restart(child: Child) -> None:
    child.due = None
    child.signal(signal.SIGKILL)
    # A disk too full to open a log: that is one more death.
    with contextlib.suppress(OSError):
        child.start(node.environment())


def _bury(own: set[int]) -> None:
    """Reap the orphans that we adopted; our own children are reaped by their Popen."""
    with contextlib.suppress(ChildProcessError):
        while dead := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if dead.si_pid in own:
                return
            os.waitpid(dead.si_pid, 0)


def _end(children: list[Child]) -> None:
    # Ray holds nothing worth waiting for; the others get time to finish a write.
    polite = [child for child in children if child.name != "ray"]
    for child in reversed(polite):
        child.signal(signal.SIGTERM)
    until = time.monotonic() + 10
    while any(child.running for child in polite) and time.monotonic() < until:
        time.sleep(0.05)
    while left := descendants():  # Ray's workers leave their parent's group
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for child in children:
            _ = child.running  # reap
        time.sleep(0.05)
    if any("--head" in child.command for child in children):
        shutil.rmtree(node.RAY_FOLDER, ignore_errors=True)


def descendants() -> list[int]:
    """Everything below this process, also what lost its own parent (we adopt it as subreaper)."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents.setdefault(int(parent), []).append(int(path.parent.name))
    found, stack = [], [os.getpid()]
    while stack:
        below = parents.get(stack.pop(), [])
        found += below
        stack += below
    return found


def _answers(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((host, port)) == 0


def _ok(path: str) -> bool:
    try:
        with urllib.request.urlopen(address() + path, timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except OSError:
        return False


def _stop(number: int, _: object) -> None:
    raise KeyboardInterrupt(number)


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    main()
