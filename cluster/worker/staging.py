"""Staging: what a part needs is laid into its slot's job folder, and its order written for the sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.catalogue import uploads_of
from cluster.problem import InputProblem
from cluster.queue import Claim
from cluster.seal import open_options, unseal
from cluster.store import store
from cluster.task import Input, Task
from cluster.tool import Lane, Tool, staged_name
from cluster.worker.order import Order, Staged
from cluster.worker.scratch import empty

#: Pages that one document may have where the task does not say.
MOST_PAGES = 20_000


@dataclass(frozen=True)
class Staging:
    """The files of one claimed part, on their way into `folder`."""

    held: Claim
    task: Task
    tool: Tool[Any]
    folder: Path

    def order(self) -> Order:
        """The part's order, its files in place. Raises InputProblem where one is gone or is another by now."""
        empty(self.folder)
        (self.folder / "in").mkdir(parents=True)
        task, part = self.task, self.held.part
        return {
            "mode": "estimate" if task.estimate else "plan" if task.plans(part) else "run",
            "tool": self.tool.id,
            "options": open_options(task.options, task.secrets, task.id),
            "language": task.language,
            "inputs": [self.fetch(index) for index in self.tool.inputs_of(part, len(task.inputs))],
            "extras": self._extras(),
            "share": task.share_of(part),
            "max_pages": task.limits.get("pages", MOST_PAGES),
        }

    def fetch(self, index: int) -> Staged:
        """The task's input of that index, or the copy that its plan made of it."""
        share, each = self.task.share_of(self.held.part) or {}, self.task.inputs[index]
        if share.get("file") == index and (copy := share.get("copy")):
            return self._copy(index, each, copy)
        file = self._place(index, each.name)
        self._upload(index, each, self.folder / file)
        secret = self.task.secrets.get(index)
        password = unseal(secret, self.task.id) if secret else None
        return {"file": file, "name": each.name, "size": each.size, "password": password, "index": index}

    def _copy(self, index: int, each: Input, copy: Mapping[str, Any]) -> Staged:
        file = f"in/{index}.pdf"
        store().fetch(copy["key"], self.folder / file)
        return {"file": file, "name": each.name, "size": copy["size"], "password": None, "index": index}

    def _place(self, index: int, name: str) -> str:
        if self.held.lane == Lane.OFFICE:  # a document may print its own name
            return f"in/{index}/{staged_name(name)}"
        suffix = Path(name).suffix
        return f"in/{index}{suffix.lower()[:6] if suffix.isascii() else ''}"

    def _upload(self, index: int, each: Input, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            found = store().stat(each.key)
            if found is None:
                raise FileNotFoundError
            if found.etag != each.etag:
                raise InputProblem("file_changed", file=each.name, index=index)
            store().fetch(each.key, path)
        except FileNotFoundError:
            raise InputProblem("file_unknown", file=each.name, index=index) from None

    def _extras(self) -> dict[str, str]:
        """Files that options name by key (the API has checked their owner)."""
        names = {}
        for number, key in enumerate(uploads_of(self.tool.id, self.task.options)):
            names[key] = f"in/extra{number}"
            try:
                store().fetch(key, self.folder / names[key])
            except (FileNotFoundError, ValueError):
                raise InputProblem("file_unknown") from None
        return names
