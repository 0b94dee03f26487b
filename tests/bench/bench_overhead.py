"""What the system adds around a tool: createTask to the first work, and the end of work to the browser."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests import make
from tests.bench.side_by_side import Row
from tests.stack import Person, started

ROTATE = 16
GOAL_START, GOAL_END = 0.050, 0.200
TIMES = 40


def rows() -> Iterator[Row]:
    """Medians on an idle machine; the peer column is the goal, so a ratio below 1 meets it."""
    with tempfile.TemporaryDirectory() as folder, started(Path(folder) / "data") as stack:
        person = Person(stack.address)
        (file,) = person.upload(make.text(Path(folder) / "a.pdf", 1))
        spent = [_once(person, file) for _ in range(TIMES)][5:]
    begin, end = (statistics.median(each) for each in zip(*spent, strict=True))
    yield Row("createTask → first work", begin, "goal", GOAL_START, begin / GOAL_START, 0, 0, "median")
    yield Row("finish → the browser knows", end, "goal", GOAL_END, end / GOAL_END, 0, 0, "median")


def _once(person: Person, file: dict[str, str]) -> tuple[float, float]:
    asked = time.time()
    task = person.create(ROTATE, [file], turn=2)["data"]["taskId"]
    state = person.follow(task)
    known = time.time()
    return state["startedAt"] / 1000 - asked, known - state["finishedAt"] / 1000
