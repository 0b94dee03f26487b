"""The sandbox inside a container as compose.yaml describes it: without any capability, by an OCI runtime alone.

The container's files are this machine's programs, read-only; what is tried is what a container engine puts around them.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.stack import ROOT

COMPOSE = ROOT / "deploy" / "compose"
#: What container engines hide of /proc and close unless told otherwise.
MASKED = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list", "/proc/sched_debug"]
CLOSED = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]
#: Of what their usual profile forbids whoever has no CAP_SYS_ADMIN.
USUAL = {
    "defaultAction": "SCMP_ACT_ALLOW",
    "syscalls": [{"names": ["unshare", "setns", "mount", "umount2", "pivot_root"], "action": "SCMP_ACT_ERRNO"}],
}
#: What a slot does first: look whether the host will do, and start a sandbox.
PROBE = """
from pathlib import Path
from cluster.worker.sandbox import Sandbox, check_host
assert not check_host()
box = Sandbox(Path("/data/job"), "cluster.worker.inside", ("heavy",))
box.start()
print("a sandbox works")
box.kill()
"""


def profile() -> dict[str, Any]:
    told = json.loads((COMPOSE / "sandbox-seccomp.json").read_text())
    return {name: told[name] for name in ("defaultAction", "syscalls")}


def bundle(folder: Path, seccomp: dict[str, Any], hidden: bool) -> Path:
    """An OCI bundle: our code and this machine's programs, a user without any right."""
    root = folder / "root"
    root.mkdir()
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    seen = {Path("/usr"), Path("/etc"), ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()}
    mounts = [{"destination": "/proc", "type": "proc", "source": "proc"}]
    for name in ("/dev", "/tmp", "/data"):
        mounts.append({"destination": name, "type": "tmpfs", "source": "tmpfs", "options": ["mode=1777"]})
    for path in sorted(seen - {Path("/usr/local")}):
        options = ["rbind", "ro", "nosuid", "nodev"]
        mounts.append({"destination": str(path), "type": "bind", "source": str(path), "options": options})
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PAPERCRANE_DATA": "/data/papercrane",
        "PAPERCRANE_ENV": "production",
        "PAPERCRANE_SECRET": "s" * 40,
    }
    linux: dict[str, Any] = {"namespaces": [{"type": each} for each in ("pid", "mount", "ipc", "uts", "network")]}
    linux |= {"seccomp": seccomp, "maskedPaths": MASKED if hidden else [], "readonlyPaths": CLOSED if hidden else []}
    process = {
        "user": {"uid": 10001, "gid": 10001},
        "args": [str(Path(sys.prefix).resolve() / "bin" / "python"), "-c", PROBE],
        "env": [f"{name}={value}" for name, value in environment.items()],
        "cwd": str(ROOT),
        "capabilities": {name: [] for name in ("bounding", "effective", "inheritable", "permitted", "ambient")},
        "noNewPrivileges": True,
    }
    config = {"ociVersion": "1.0.2", "process": process, "root": {"path": "root", "readonly": True}, "mounts": mounts}
    (folder / "config.json").write_text(json.dumps(config | {"linux": linux}))
    return folder


def run(folder: Path, seccomp: dict[str, Any], hidden: bool) -> subprocess.CompletedProcess[str]:
    if shutil.which("runc") is None or os.getuid():
        assert not os.environ.get("CI"), "runc is not installed"
        pytest.skip("runc is not installed, or this is not root")
    name = f"papercrane-{os.getpid()}-{folder.name}"
    command = ["runc", "run", "--bundle", bundle(folder, seccomp, hidden), name]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_it_works_as_compose_describes_the_container(tmp_path):
    worker = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["services"]["worker"]
    assert {"seccomp:./sandbox-seccomp.json", "systempaths=unconfined"} <= set(worker["security_opt"])
    ran = run(tmp_path, profile(), hidden=False)
    assert ran.stdout == "a sandbox works\n", ran.stderr


@pytest.mark.parametrize(("seccomp", "hidden"), [(USUAL, False), (profile(), True)], ids=["seccomp", "masked"])
def test_a_container_without_what_it_needs_refuses_production(tmp_path, seccomp, hidden):
    ran = run(tmp_path, seccomp, hidden)
    assert ran.returncode == 1
    assert "bubblewrap does not work here" in ran.stderr
    assert "PAPERCRANE_ALLOW_WEAK_SANDBOX=1" in ran.stderr
