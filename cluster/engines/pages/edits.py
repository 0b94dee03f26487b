"""What must change in a document's values where it stands beside others: names that others have, base addresses."""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.syntax import Unreadable, string, text, text_token
from cluster.engines.pdf.usage import decode_any

_ACTIONS = (b"/Dest", b"/D", b"/URI", b"/JS")


@dataclass
class Edits:
    """`names` are destinations: raw bytes of strings, and old names with their slash, to new ones.

    `fields` are form fields; scripts name them in quotes: `getField("total")`. `base` is what relative addresses
    counted from, None where that stays so.
    """

    document: Document
    names: dict[bytes, bytes] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    base: str | None = None

    def __bool__(self) -> bool:
        return bool(self.names or self.fields or self.base)

    def __call__(self, value: Any) -> Any:
        """`value` with these changes, at any depth; what it refers to is changed when it is carried over."""
        if type(value) is list:
            return [self(each) if type(each) in (dict, list) else each for each in value]
        if type(value) is not dict:
            return value
        changed = {key: self(each) if type(each) in (dict, list) else each for key, each in value.items()}
        for key in _ACTIONS:
            if key in changed:
                changed[key] = self._action(key, changed)
        return changed

    def _action(self, key: bytes, node: dict[bytes, Any]) -> Any:
        value, kind = node[key], node.get(b"/S")
        if key == b"/Dest" or (key == b"/D" and kind == b"/GoTo"):
            return self._renamed(value)
        if key == b"/URI" and kind == b"/URI" and self.base:
            return self._complete(value)
        return self._script(value) if key == b"/JS" and self.fields else value

    def _renamed(self, value: Any) -> Any:
        found = self.document.get(value)
        if type(found) is not bytes:
            return value
        new = self.names.get(found if found[:1] == b"/" else string(found))
        return value if new is None else new if new[:1] == b"/" and found[:1] == b"/" else text_token(new)

    def _complete(self, value: Any) -> Any:
        address = string(self.document.get(value))
        try:
            return text_token(urljoin(self.base or "", address.decode("latin-1")).encode("latin-1"))
        except ValueError:
            return value

    def _script(self, value: Any) -> Any:
        found = self.document.get(value)
        if type(found) is Stream:
            try:
                old = decode_any(self.document, found).decode("latin-1")
            except Unreadable:
                return value
        else:
            old = text(found)
        names = "|".join(re.escape(name) for name in self.fields)
        pattern = re.compile(rf"""(["'])({names})((?:\.[^"'\\]*)?\1)""")
        new = pattern.sub(lambda each: each[1] + self.fields[each[2]] + each[3], old)
        return value if new == old else written(new)


def written(told: str) -> bytes:
    """A text string as a token: Latin-1 where that holds it, else UTF-16."""
    try:
        return text_token(told.encode("ascii"))
    except UnicodeEncodeError:
        return text_token(b"\xfe\xff" + told.encode("utf-16-be"))


def base_of(document: Document) -> str:
    """What the document's relative addresses count from; "" is the document itself."""
    return text(document.get(document.dictionary(document.root.get(b"/URI")).get(b"/Base", b"")))
