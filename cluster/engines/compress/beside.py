"""Work on both cores: what libraries do without Python's lock, done in threads."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Job = TypeVar("Job")
Made = TypeVar("Made")
_WORKERS = 2


def beside(
    do: Callable[[Job], Made], jobs: Iterable[Job], weight: Callable[[Job], int], most: int
) -> Iterator[tuple[Job, Made]]:
    """Each job and what `do` made of it, as they end. Jobs are read here, as qpdf takes one thread.

    weight: what a job takes of `most`, all that may be worked on at once; a heavier one is worked on alone.
    """
    busy: dict[Future[Made], tuple[Job, int]] = {}
    with ThreadPoolExecutor(_WORKERS) as pool:
        for job in jobs:
            heavy = weight(job)
            while len(busy) > _WORKERS or (busy and sum(each for _, each in busy.values()) + heavy > most):
                yield from _ended(busy)
            busy[pool.submit(do, job)] = job, heavy
        while busy:
            yield from _ended(busy)


def _ended(busy: dict[Future[Made], tuple[Job, int]]) -> Iterator[tuple[Job, Made]]:
    for future in wait(busy, return_when=FIRST_COMPLETED).done:
        yield busy.pop(future)[0], future.result()
