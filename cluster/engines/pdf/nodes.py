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
