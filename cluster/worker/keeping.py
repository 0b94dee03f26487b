"""Keeping: the files that came out of the sandbox go to the store, under the claim that made them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.kinds import KINDS
from cluster.problem import FaultProblem
from cluster.queue import Claim
from cluster.store import Stat, store
from cluster.task import Made, Task
from cluster.tool import Lane
from cluster.worker.untrusted import UntrustedAnswer, UntrustedOutput


@dataclass(frozen=True)
class Keeping:
    """Stores what one claimed part made in `folder`; a claim's fence keeps its files apart from a later one's."""

    held: Claim
    task: Task
    folder: Path

    def results(self, answer: UntrustedAnswer, pages: Sequence[int | None]) -> list[Made]:
        """The part's results, stored; `pages` is what the gate counted in each. Raises FaultProblem."""
        prefix = f"{self.task.results}{self.held.part}.{self.held.fence}"
        return [self._result(prefix, *pair) for pair in zip(answer.outputs, pages, strict=True)]

    def shares(self, answer: UntrustedAnswer) -> list[dict[str, Any]]:
        """A plan's shares; those of an input of which it made a copy name that, and are staged with it.

        Raises FaultProblem when one names a lane that is none.
        """
        prefix = f"{self.task.results}plan.{self.held.fence}"
        copies = {copy.input: self._put(f"{prefix}/{copy.input}", copy.file) for copy in answer.copies}
        return [_share(each, copies) for each in answer.shares]

    def made(self, name: str) -> Path:
        """The file that the sandbox named: in our folder itself, not where a link leads (of it or of its folder)."""
        path = self.folder.resolve() / name
        if not path.is_file() or path.resolve() != path:
            raise FaultProblem("the sandbox named a file that is not one")
        return path

    def _result(self, prefix: str, output: UntrustedOutput, pages: int | None) -> Made:
        if output.kind not in KINDS:
            raise FaultProblem("the sandbox named a kind that is not one")
        stat = self._put(f"{prefix}/{Path(output.file).name}", output.file)
        return Made(stat.key, output.name, stat.size, output.kind, pages, output.source)

    def _put(self, key: str, file: str) -> Stat:
        return store().put(key, self.made(file))


def _share(untrusted: Mapping[str, Any], copies: Mapping[int, Stat]) -> dict[str, Any]:
    if untrusted.get("lane", Lane.QUICK) not in list(Lane):
        raise FaultProblem("the sandbox named a lane that is not one")
    index = untrusted.get("file")
    copy = copies.get(index) if isinstance(index, int) else None
    return {**untrusted, "copy": {"key": copy.key, "size": copy.size} if copy else None}
