"""A receipt's notes as people read them; their words stand in cluster.words."""

import re
from typing import Any

from cluster.tool import Note
from cluster.words import NOTES, Language


def sentence(note: Note, language: Language) -> str:
    """The note as people read it; sizes are written as KB or MB."""
    facts = {name: _size(value) if note.what in _SIZES else value for name, value in note.facts.items()}
    words = NOTES[note.what][language]
    return _NUMBER.sub(r"\1" if facts.get("count") == 1 else r"\2", words).format(**facts)


_NUMBER = re.compile(r"\[(.*?)\|(.*?)\]")


_SIZES = {"size", "images", "fonts", "other"}


def _size(value: Any) -> str:
    return f"{value / (1 << 20):.2f} MB" if value >= 1 << 20 else f"{value / 1024:.1f} KB"
