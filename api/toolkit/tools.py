"""The tools as the wire shows them. Their names and texts are the built site's, read from its payloads."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from api.problems import Refusal
from api.settings import Rights, settings
from cluster.catalogue import TOOLS, schema_of
from cluster.tool import Group, Tool
from cluster.words import Language

GROUPS: dict[Group, tuple[str, str]] = {
    Group.PAGES: ("页面处理", "Pages"),
    Group.CONVERT: ("格式转换", "Convert"),
    Group.MARKS: ("标记与水印", "Marks"),
    Group.PROTECT: ("加密与解锁", "Protect"),
    Group.RECOGNISE: ("文字识别", "Recognise"),
    Group.BIG: ("大文件", "Big files"),
}


class Accepted(TypedDict):
    kind: str
    extensions: list[str]
    mime: list[str]


class ToolEntry(TypedDict):
    """One tool of the contract."""

    id: int
    key: str
    route: str
    group: str
    lane: str
    takes: str
    multiple: bool
    least: int
    accepts: list[Accepted]
    gives: list[str]
    editor: str | None
    review: str | None
    estimates: bool
    icon: str
    options: dict[str, Any]


class ToolBrief(TypedDict):
    """One tool in a group."""

    id: int
    key: str
    name: str
    path: str
    summary: str
    icon: str
    kinds: list[str]
    multiple: bool


class ToolGroup(TypedDict):
    key: str
    title: str
    tools: list[ToolBrief]


class ToolDetail(ToolEntry):
    """One tool with its limits and the texts of its page; what stands in its group stands here too."""

    name: str
    path: str
    summary: str
    kinds: list[str]
    limits: dict[str, Any]
    content: dict[str, Any]


def tool_by_id(number: int) -> Tool[Any]:
    """The tool with this id. Raises Refusal."""
    if number not in TOOLS:
        raise Refusal("tool_unknown")
    return TOOLS[number]


def find_tool(number: int | None, path: str | None) -> Tool[Any]:
    """The tool by id or by exact route. Raises Refusal."""
    if number is not None:
        return tool_by_id(number)
    found = next((tool for tool in TOOLS.values() if tool.route == path), None)
    if found is None:
        raise Refusal("tool_unknown")
    return found


def entry(tool: Tool[Any]) -> ToolEntry:
    """The tool as the contract has it."""
    return {
        "id": tool.id,
        "key": tool.key,
        "route": tool.route,
        "group": tool.group.value,
        "lane": tool.lane.value,
        "takes": tool.takes,
        "multiple": True,
        "least": tool.least,
        "accepts": [
            {"kind": kind.key, "extensions": list(kind.extensions), "mime": [kind.mime]} for kind in tool.accepts
        ],
        "gives": [kind.key for kind in tool.gives],
        "editor": tool.editor,
        "review": tool.review,
        "estimates": tool.estimate is not None,
        "icon": tool.icon,
        "options": schema_of(tool.id),
    }


def groups(language: Language) -> list[ToolGroup]:
    """The groups in display order, each with its tools."""
    return [
        {"key": group.value, "title": titles[language == "en"], "tools": _briefs(group, language)}
        for group, titles in GROUPS.items()
    ]


def detail(tool: Tool[Any], rights: Rights, language: Language) -> ToolDetail:
    """The tool with options, limits and content."""
    limits = {"documents": rights.documents, "bytes": rights.bytes, "pages": rights.pages}
    return {
        **entry(tool),
        **_brief(tool, language),
        "limits": limits,
        "content": _content(tool, language),
    }


def name_of(tool: Tool[Any], language: Language) -> str:
    """The tool's name as its page has it; its key where the site is not built."""
    return str(_content(tool, language).get("toolTitle", tool.key))


def _briefs(group: Group, language: Language) -> list[ToolBrief]:
    return [_brief(tool, language) for tool in TOOLS.values() if tool.group is group]


def _brief(tool: Tool[Any], language: Language) -> ToolBrief:
    return {
        "id": tool.id,
        "key": tool.key,
        "name": name_of(tool, language),
        "path": tool.route if language == "zh" else f"/en{tool.route}",
        "summary": str(_content(tool, language).get("summary", "")),
        "icon": tool.icon,
        "kinds": [kind.key for kind in tool.accepts],
        "multiple": True,
    }


def _content(tool: Tool[Any], language: Language) -> dict[str, Any]:
    folder = settings().site / ("en" if language == "en" else "")
    path = folder / tool.route.lstrip("/") / "_payload.json"
    try:
        return _read_content(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return {}


@cache
def _read_content(path: Path, changed: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8")).get("content", {})
    return found
