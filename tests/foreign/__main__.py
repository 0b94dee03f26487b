"""python -m tests.foreign FOLDER [tool …] [--options JSON] [--sample N] [--seconds N] [--jobs N] [--json FILE]

Status 1 with faults.
"""

import argparse
import json
import sys
from pathlib import Path

from cluster.catalogue import TOOLS
from tests.foreign.court import hold
from tests.foreign.files import files_in
from tests.foreign.report import Verdict, summary, write_json


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.foreign", description="Judge tools by other people's programs."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("tools", nargs="*", metavar="tool", help="keys of tools; all of them without")
    parser.add_argument("--options", type=json.loads, default={}, help="JSON, over those of the tools' rules")
    parser.add_argument("--sample", type=int, help="only so many files, always the same ones")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no file after this")
    parser.add_argument("--jobs", type=int, default=2, help="files at a time")
    parser.add_argument("--json", type=Path, help="where to write every verdict")
    chosen = parser.parse_args(arguments)
    keys = {tool.key: tool for tool in TOOLS.values()}
    if unknown := set(chosen.tools) - set(keys):
        parser.error(f"no tool {', '.join(sorted(unknown))}; there are {', '.join(keys)}")
    tools = [keys[key] for key in chosen.tools or keys]
    verdicts: list[Verdict] = []

    def tell(verdict: Verdict) -> None:
        verdicts.append(verdict)
        for line in verdict.lines():
            print(line, flush=True)

    files = files_in(chosen.folder, chosen.sample)
    left = hold(
        chosen.folder, files, tools, jobs=chosen.jobs, seconds=chosen.seconds, tell=tell, options=chosen.options
    )
    print("\n".join(["", *summary(verdicts)]))
    if left:
        print(f"{left} of {len(files)} files were not begun in time")
    if chosen.json:
        write_json(chosen.json, verdicts)
    return int(any(each.faults for each in verdicts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
