"""Problem: the one word for trouble, the same in Python, JSON and React.

    Problem
    ├── InputProblem     the file or the options: FAIL, says what to do, never retried
    │   └── PasswordProblem   another try with a password needs no new upload
    ├── LimitProblem     a bound was reached: FAIL, never retried
    ├── DeadlineProblem  took too long: TIMEOUT_FAIL
    └── FaultProblem     ours: retried, then ABNORMAL; its text is for the operator only

A reason is a stable snake_case word. Its sentence for people, in Chinese and English,
stands once, in cluster.words; placeholders are filled from the Problem's own `facts`.
"""

from dataclasses import dataclass, field
from typing import Any

from cluster.words import PROBLEMS, Language


@dataclass
class Problem(Exception):
    """Trouble with a stable reason; `facts` fill the sentence (file, pages, limit, text …).

    `index` among them says which of the task's files it is about: names may be equal.
    """

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts

    def text(self, language: Language) -> str:
        """The sentence for people; unknown facts show as an empty word."""
        return PROBLEMS[self.reason][language].format_map(_Blank(self.facts))

    def about(self, **facts: Any) -> "Problem":
        """The same trouble with more facts; facts already there stay."""
        self.facts = {**facts, **self.facts}
        return self


class InputProblem(Problem):
    """The file or the options; the sentence says what to do."""


class PasswordProblem(InputProblem):
    """`password_required` or `password_wrong`."""


class LimitProblem(Problem):
    """A bound was reached."""


class DeadlineProblem(Problem):
    """Took longer than the part may take."""


class FaultProblem(Problem):
    """Ours. `detail` is for the operator's log and never sent to a client."""

    def __init__(self, detail: str, reason: str = "internal") -> None:
        super().__init__(reason)
        self.detail = detail


class _Blank(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""
