"""This machine as a node of the Ray cluster: its address and ports, the slots it carries, the token all nodes share.

Variables of the machine rather than of the product, read here and nowhere else:

    PAPERCRANE_NODE_IP    the address under which other machines reach it; 127.0.0.1: this machine alone
    PAPERCRANE_RAY_PORT   of the cluster's head; a node of several machines listens on the one after it, too
    PAPERCRANE_SLOTS      quick=4,heavy=2,office=2,ocr=1: by default from the number of cores
    PAPERCRANE_TOKEN      the file of Ray's token; by default one in the data folder, written by the first machine
    KUBERAY_GEN_RAY_START_CMD   where KubeRay says how its pod joins
"""

import json
import os
import secrets
import shlex
import sys
from pathlib import Path

from cluster.log import KEPT, LONGEST
from cluster.numbers import whole
from cluster.settings import ROOT, settings
from cluster.tool import Lane


def _port() -> int:
    text = os.environ.get("PAPERCRANE_RAY_PORT", "6399")
    try:
        return whole(text)
    except ValueError:
        raise SystemExit(f"PAPERCRANE_RAY_PORT={text!r} does not fit; expected a port") from None


RAY_PORT = _port()
NODE_IP = os.environ.get("PAPERCRANE_NODE_IP", "127.0.0.1")
#: Unix sockets take 107 characters of path, so Ray's own folder must be a short one.
RAY_FOLDER = f"/tmp/papercrane-ray-{os.getuid()}-{RAY_PORT}"  # noqa: S108 - named by user and port


def slots() -> dict[str, int]:
    """How many parts of each lane this machine works on at once."""
    cpus = os.cpu_count() or 2
    usual = {Lane.QUICK: max(2, cpus), Lane.HEAVY: max(1, cpus // 2), Lane.OFFICE: max(1, cpus // 2)}
    usual[Lane.OCR] = max(1, cpus // 4)
    text = os.environ.get("PAPERCRANE_SLOTS", ",".join(f"{lane}={count}" for lane, count in usual.items()))
    try:
        wanted = {
            str(Lane(lane)): whole(count) for lane, count in (pair.split("=") for pair in text.split(",") if pair)
        }
    except ValueError:
        raise SystemExit(f"PAPERCRANE_SLOTS={text!r} does not fit; expected lanes, e.g. quick=4,office=2") from None
    return {lane: count for lane, count in wanted.items() if count}


def head() -> list[str]:
    """What starts the cluster on this machine."""
    return _told() or [*_start("--head", f"--port={RAY_PORT}", "--include-dashboard=false"), f"--temp-dir={RAY_FOLDER}"]


def member(of: str) -> list[str]:
    """What joins the cluster whose head is at the address `of`."""
    return _told() or _start(f"--address={of}:{RAY_PORT}", f"--node-manager-port={RAY_PORT + 1}")


def _told() -> list[str]:
    return shlex.split(os.environ.get("KUBERAY_GEN_RAY_START_CMD", ""))


def _start(*arguments: str) -> list[str]:
    command = [str(Path(sys.executable).with_name("ray")), "start", "--block", *arguments]
    command += [f"--node-ip-address={NODE_IP}", "--disable-usage-stats", "--object-store-memory=100000000"]
    # Nobody listens to what it reads out of Ray's logs: the lanes' keeper does not want them (cluster/worker/lane.py).
    return [*command, "--include-log-monitor=false", f"--resources={json.dumps(slots())}"]


def environment() -> dict[str, str]:
    """What everything that we start on this machine gets: our settings and Ray's deterministic token."""
    return {
        "PAPERCRANE_RAY": f"{NODE_IP}:{RAY_PORT}",
        **os.environ,
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(_token()),
        "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
        "PAPERCRANE_DATA": str(settings().data),
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "ORT_DISABLE_TELEMETRY": "1",
        "RAY_ROTATION_MAX_BYTES": str(LONGEST),
        "RAY_ROTATION_BACKUP_COUNT": str(KEPT),
    }


def _token() -> Path:
    if given := os.environ.get("PAPERCRANE_TOKEN"):
        return Path(given)
    token = settings().data / "ray.token"
    if not token.exists():
        token.write_text(secrets.token_hex(32))
        token.chmod(0o600)
    return token
