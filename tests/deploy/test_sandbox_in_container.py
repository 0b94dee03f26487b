"""The sandbox inside a container as compose.yaml describes it; one that lacks something of it refuses production.

The container's files are this machine's programs, read-only; what is tried is what a container engine puts around them.
"""

import sys
from pathlib import Path

import pytest
import yaml

from tests.deploy.container import USUAL, Container, ours
from tests.stack import ROOT

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


def host(folder: Path, **more) -> Container:
    """A container of this machine's programs and our code."""
    root = folder / "root"
    root.mkdir()
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    seen = [Path("/usr"), Path("/etc"), ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PAPERCRANE_DATA": "/data/papercrane",
        "PAPERCRANE_ENV": "production",
        "PAPERCRANE_SECRET": "s" * 40,
    }
    command = [str(Path(sys.prefix).resolve() / "bin" / "python"), "-c", PROBE]
    return Container(root, command, environment, str(ROOT), binds={str(path): path for path in seen}, **more)


def test_it_works_as_compose_describes_the_container(tmp_path):
    worker = yaml.safe_load((ROOT / "deploy/compose/compose.yaml").read_text())["services"]["worker"]
    assert {"seccomp:./sandbox-seccomp.json", "systempaths=unconfined"} <= set(worker["security_opt"])
    ran = host(tmp_path).run(tmp_path)
    assert ran.stdout == "a sandbox works\n", ran.stderr


@pytest.mark.parametrize(("seccomp", "hidden"), [(USUAL, False), (ours(), True)], ids=["seccomp", "masked"])
def test_a_container_without_what_it_needs_refuses_production(tmp_path, seccomp, hidden):
    ran = host(tmp_path, seccomp=seccomp, hidden=hidden).run(tmp_path)
    assert ran.returncode == 1
    assert "bubblewrap does not work here" in ran.stderr
    assert "PAPERCRANE_ALLOW_WEAK_SANDBOX=1" in ran.stderr
