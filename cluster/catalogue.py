"""TOOLS: every tool of the package, read once; a doubled id, key or route stops the start."""

import importlib
import pkgutil
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from cluster import tools
from cluster.fields import upload_fields, uploads_in
from cluster.tool import Tool


def _load() -> dict[int, Tool[Any]]:
    found: dict[int, Tool[Any]] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(tools.__path__)):
        tool: Tool[Any] = importlib.import_module(f"{tools.__name__}.{module}").TOOL
        twin = next((t for t in found.values() if tool.id == t.id or tool.key == t.key or tool.route == t.route), None)
        if twin:
            raise RuntimeError(f"cluster/tools/{module}.py repeats the id, key or route of {twin.key}")
        if tool.key != module:
            raise RuntimeError(f"cluster/tools/{module}.py must give its tool the key {module!r}")
        found[tool.id] = tool
    return dict(sorted(found.items()))


#: id -> Tool
TOOLS: dict[int, Tool[Any]] = _load()


@cache
def adapter_of(number: int) -> TypeAdapter[Any]:
    """What checks and writes the options of tool `number`; made once, for it takes 3 ms and its first 50."""
    return TypeAdapter(TOOLS[number].options)


@cache
def schema_of(number: int) -> dict[str, Any]:
    """JSON Schema of the options of tool `number`."""
    return adapter_of(number).json_schema()


def uploads_of(number: int, options: Any) -> list[str]:
    """Storage keys of the uploads that `options` of tool `number` name."""
    return uploads_in(_upload_fields(number), options)


@cache
def _upload_fields(number: int) -> frozenset[str]:
    return upload_fields(schema_of(number))
