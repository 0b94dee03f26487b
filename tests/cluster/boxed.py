"""A sandbox whose tool 9001 does as it is told."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cluster.catalogue import TOOLS
from cluster.worker.sandbox import Sandbox

TESTS = Path(__file__).resolve().parent.parent


@contextmanager
def boxed(folder: Path, module: str) -> Iterator[Sandbox]:
    """A sandbox that runs `module`, and its tools known here too as long as it lasts."""
    from tests.cluster.misbehave import MISBEHAVING, PLANNING

    TOOLS.update({each.id: each for each in (MISBEHAVING, PLANNING)})
    made = Sandbox(folder, module, ("heavy",), readable=(TESTS,))
    yield made
    made.kill()
    subprocess.run(["rm", "-rf", folder], check=True)  # a failed test leaves what pytest cannot delete
    for each in (MISBEHAVING, PLANNING):
        TOOLS.pop(each.id)
