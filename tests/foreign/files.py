"""Which files of a folder go to which tool: by content, and by name where the content is no longer told."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cluster.kinds import OOXML_LOCKED, TXT, ZIP, kind_of
from cluster.tool import Tool


def files_in(folder: Path, sample: int | None = None) -> list[Path]:
    """Files below `folder` in order; with `sample` that many, always the same ones."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    if sample is None:
        return found
    chosen = sorted(found, key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest())
    return sorted(chosen[:sample])


def takers(path: Path, tools: Iterable[Tool[Any]]) -> list[Tool[Any]]:
    """Tools that take the file; a file that is nothing known (or a plain zip) goes where its name sends it."""
    kind = kind_of(path) if path.stat().st_size else None
    return [tool for tool in tools if kind in tool.accepts or (kind in (None, ZIP, TXT) and _named_for(path, tool))]


def _named_for(path: Path, tool: Tool[Any]) -> bool:
    kinds = (kind for kind in tool.accepts if kind not in (TXT, OOXML_LOCKED))
    return any(path.suffix.lower() in kind.extensions for kind in kinds)
