"""The contract that the site is built from: `python -m api.contract > site/src/contract.json`."""

import json
from typing import Any

from api.problems import reasons
from api.settings import Rights, Settings
from api.toolkit.tools import GROUPS, entry
from cluster.catalogue import TOOLS
from cluster.task import Status
from cluster.words import STAGES


def contract() -> dict[str, Any]:
    """Tools, groups, rights by default, statuses, and every word of reasons and stages."""
    defaults = Settings()
    return {
        "tools": [entry(tool) for tool in TOOLS.values()],
        "groups": [{"key": group.value, "title": {"zh": zh, "en": en}} for group, (zh, en) in GROUPS.items()],
        "rights": {
            "visitor": _limits(defaults.visitor),
            "user": _limits(defaults.user),
            "member": _limits(defaults.member),
        },
        "statuses": {status.name: status.value for status in Status},
        "reasons": reasons(),
        "stages": dict(STAGES),
    }


def text() -> str:
    """The contract as the file holds it."""
    return json.dumps(contract(), ensure_ascii=False, indent=1) + "\n"


def _limits(rights: Rights) -> dict[str, int | None]:
    return {name: value for name, value in vars(rights).items() if name != "queue"}


if __name__ == "__main__":
    print(text(), end="")
