"""A container as compose.yaml describes ours, run by the OCI runtime alone: no capability, nobody's user, read-only."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.stack import ROOT

#: What container engines hide of /proc and close unless told otherwise.
MASKED = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list", "/proc/sched_debug"]
CLOSED = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]
#: Of what their usual profile forbids whoever has no CAP_SYS_ADMIN.
USUAL = {
    "defaultAction": "SCMP_ACT_ALLOW",
    "syscalls": [{"names": ["unshare", "setns", "mount", "umount2", "pivot_root"], "action": "SCMP_ACT_ERRNO"}],
}


def ours() -> dict[str, Any]:
    """The profile that our workers get."""
    told = json.loads((ROOT / "deploy" / "compose" / "sandbox-seccomp.json").read_text())
    return {name: told[name] for name in ("defaultAction", "syscalls")}


@dataclass
class Container:
    """What runs below `root`. `binds`: paths of this machine that it sees, read-only; `data`: the folder here that its
    volume is, else it has one that goes with it; `hidden`: /proc is masked."""

    root: Path
    command: Sequence[str]
    environment: Mapping[str, str]
    cwd: str
    seccomp: Mapping[str, Any] = field(default_factory=ours)
    hidden: bool = False
    binds: Mapping[str, Path] = field(default_factory=dict)
    data: Path | None = None
    own_network: bool = True

    def bundle(self, folder: Path) -> Path:
        """Lay its description into `folder`."""
        spaces = ["pid", "mount", "ipc", "uts", *(["network"] if self.own_network else [])]
        linux = {
            "namespaces": [{"type": each} for each in spaces],
            "seccomp": self.seccomp,
            "maskedPaths": MASKED if self.hidden else [],
            "readonlyPaths": CLOSED if self.hidden else [],
        }
        process = {
            "user": {"uid": 10001, "gid": 10001},
            "args": list(self.command),
            "env": [f"{name}={value}" for name, value in self.environment.items()],
            "cwd": self.cwd,
            "capabilities": {name: [] for name in ("bounding", "effective", "inheritable", "permitted", "ambient")},
            "noNewPrivileges": True,
        }
        config = {"ociVersion": "1.0.2", "process": process, "root": {"path": str(self.root), "readonly": True}}
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config | {"mounts": list(self._mounts()), "linux": linux}))
        return folder

    def _mounts(self) -> Iterator[dict[str, Any]]:
        yield {"destination": "/proc", "type": "proc", "source": "proc"}
        for name in ("/dev", "/dev/shm", "/tmp", "/data"):
            # A volume is whose the image's folder is.
            options = ["mode=0700", "uid=10001", "gid=10001"] if name == "/data" else ["mode=1777"]
            if name != "/data" or self.data is None:
                yield {"destination": name, "type": "tmpfs", "source": "tmpfs", "options": options}
        if self.data:
            yield {"destination": "/data", "type": "bind", "source": str(self.data), "options": ["rbind", "rw"]}
        for name, path in sorted(self.binds.items()):
            options = ["rbind", "ro", "nosuid", "nodev"]
            yield {"destination": name, "type": "bind", "source": str(path), "options": options}

    def run(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        return subprocess.run(self._command(folder), capture_output=True, text=True, timeout=120, check=False)

    @contextmanager
    def running(self, folder: Path) -> Iterator[str]:
        """Its name, while it runs."""
        command = self._command(folder)
        with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
            try:
                yield command[-1]
            finally:
                subprocess.run(["runc", "kill", command[-1], "TERM"], check=False, capture_output=True)
                process.wait(60)

    def _command(self, folder: Path) -> list[str]:
        if shutil.which("runc") is None or os.getuid():
            assert not os.environ.get("CI"), "runc is not installed"
            pytest.skip("runc is not installed, or this is not root")
        return ["runc", "run", "--bundle", str(self.bundle(folder)), f"papercrane-{os.getpid()}-{folder.name}"]
