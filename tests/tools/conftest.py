"""What tests of tools share: the warm engines outside the sandbox, and the parent whose forks run parts."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cluster.engines.ocr import client as ocr
from cluster.engines.office import client as office
from tests.parts import Parts


@pytest.fixture(scope="session")
def office_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """LibreOffice, warm."""
    yield from _engine(office, tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="session")
def ocr_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The reader of text in pictures, warm."""
    yield from _engine(ocr, tmp_path_factory.mktemp("ocr"))


@pytest.fixture(scope="session")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parts]:
    """Runs tools' parts in forks, as their sandbox does."""
    made = Parts(tmp_path_factory.mktemp("parts") / "job")
    yield made
    made.close()


def _engine(engine: ModuleType, home: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "HOME", home)
        process = subprocess.Popen(engine.command(), env={**os.environ, **engine.environment()})
        try:
            engine.wait_ready(time.monotonic() + 60)
            yield
        finally:
            process.terminate()
            process.wait(20)
