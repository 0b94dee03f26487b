"""Dictionaries and arrays of an open PDF, read so that gaps do no harm."""

from typing import Any

import pikepdf

Key = tuple[int, int]
_DEEPEST = 100


def get(node: Any, *path: str) -> Any:
    """The value down a path of dictionary keys; None where it ends early."""
    for key in path:
        node = node.get(key) if isinstance(node, pikepdf.Dictionary) else None
    return node


def items(node: Any) -> list[Any]:
    """The items of an array, or nothing."""
    return list(node) if isinstance(node, pikepdf.Array) else []


def entries(node: Any) -> list[tuple[bytes, Any]]:
    """The entries of a dictionary, or nothing. Names are bytes: Chinese programs write them in GBK, too."""
    if not isinstance(node, pikepdf.Dictionary):
        return []
    names = [key.encode("utf-8", "surrogateescape") for key in node.keys()]  # noqa: SIM118
    return [(name, node.get(_name(name))) for name in names]


def _name(name: bytes) -> Any:
    """One that is no UTF-8 can be listed and parsed, but not asked for."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return pikepdf.Object.parse(b"/" + b"".join(b"#%02x" % each for each in name[1:]))


def is_dictionary(node: Any) -> bool:
    """Whether `node` is a dictionary and no stream."""
    return isinstance(node, pikepdf.Dictionary)


def inherited(page: "pikepdf.Page", key: str) -> Any:
    """A page attribute, its own or from the tree above."""
    return said(page.obj, key)


def said(node: Any, key: str) -> Any:
    """What the node or the nearest above it has for `key`; None where none has."""
    for _ in range(_DEEPEST):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None
