"""What is told: one line a fault, a summary by tool, JSON for machines."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Verdict:
    """One run's judgement. `file` is relative to the folder; `judging` is how long the judge itself took (seconds)."""

    tool: str
    file: str
    status: str
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0
    memory: int = 0
    judging: float = 0.0

    def lines(self) -> list[str]:
        return [f"{self.tool:<14} {self.file}  {what}" for what in self.faults]


def summary(verdicts: Iterable[Verdict]) -> list[str]:
    """A line a tool: runs, results, refusals, faults, seconds at most, memory at most."""
    by_tool: dict[str, list[Verdict]] = {}
    for each in verdicts:
        by_tool.setdefault(each.tool, []).append(each)
    head = f"{'tool':<14} {'runs':>5} {'success':>8} {'refused':>8} {'faulty':>7} {'max s':>7} {'max MiB':>8}"
    return [head, *(_line(tool, runs) for tool, runs in sorted(by_tool.items()))]


def _line(tool: str, runs: list[Verdict]) -> str:
    well = sum(each.status == "SUCCESS" for each in runs)
    faulty = sum(bool(each.faults) for each in runs)
    seconds, memory = max(each.seconds for each in runs), max(each.memory for each in runs) >> 20
    return f"{tool:<14} {len(runs):>5} {well:>8} {len(runs) - well:>8} {faulty:>7} {seconds:>7.1f} {memory:>8}"


def write_json(path: Path, verdicts: Iterable[Verdict]) -> None:
    path.write_text(json.dumps([asdict(each) for each in verdicts], ensure_ascii=False, indent=1), encoding="utf-8")
