"""The warm engines, started once for all tests that ask for them, outside the sandbox."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cluster.engines.ocr import client as ocr
from cluster.engines.office import client as office


@pytest.fixture(scope="session")
def office_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """LibreOffice, warm."""
    yield from _engine(office, tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="session")
def ocr_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The reader of text in pictures, warm."""
    yield from _engine(ocr, tmp_path_factory.mktemp("ocr"))


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
