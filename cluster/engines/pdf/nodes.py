"""Dictionaries and arrays of an open PDF, read so that gaps do no harm."""

from typing import Any

import pikepdf

Key = tuple[int, int]


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
    from pikepdf import Dictionary

    node: Any = page.obj
    depth = 0
    while isinstance(node, Dictionary) and depth < 100:
        if key in node:
            return node[key]
        node, depth = node.get("/Parent"), depth + 1
    return None
