"""How files lie where a tool finds them."""

from dataclasses import replace
from pathlib import Path

import pytest

from cluster.catalogue import TOOLS
from cluster.queue import Claim
from cluster.store import store
from cluster.task import Input
from cluster.tool import Lane
from cluster.worker.staging import Staging
from tests.cluster.queued import make

_OFFICE = sorted(tool.id for tool in TOOLS.values() if tool.lane is Lane.OFFICE)


@pytest.mark.parametrize("tool", _OFFICE)
def test_an_office_file_keeps_its_owners_name(tmp_path: Path, tool: int) -> None:
    """Documents print it (FILENAME); it must lead nowhere, and two of one name must not meet."""
    (tmp_path / "a").write_text("some words")
    kept = store().put("uploads/x/staging/a", tmp_path / "a")
    names = ("合同 第2版.docx", "合同 第2版.docx", "../../a.docx", "纸" * 300 + ".docx")
    inputs = tuple(Input(kept.key, name, kept.size, kept.etag) for name in names)
    task = replace(make("l"), inputs=inputs, tool=tool)
    job = tmp_path / "job"
    staging = Staging(Claim("t", 0, "office", "s", "m", 1), task, TOOLS[tool], job)
    (job / "in").mkdir(parents=True)
    staged = [job / staging.fetch(index)["file"] for index in range(len(names))]
    assert len(set(staged)) == len(names)
    assert [path.name for path in staged[:2]] == [names[0]] * 2
    assert all(path.read_text() == "some words" for path in staged)
    assert all(path.resolve().is_relative_to((job / "in").resolve()) for path in staged)
