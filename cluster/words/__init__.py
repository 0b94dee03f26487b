"""The words that users read: one YAML file a language, with the sentences of problems, receipts' notes and stages."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
#: key -> language -> sentence
Words = Mapping[str, Mapping[Language, str]]


def read(folder: Path, section: str) -> Words:
    """A section of the files in `folder`; KeyError where a language lacks a sentence."""
    files = {each: _file(folder / f"{each}.yaml")[section] for each in LANGUAGES}
    return {key: {language: held[key] for language, held in files.items()} for key in files["zh"]}


@cache
def _file(path: Path) -> Mapping[str, Mapping[str, str]]:
    # In C: in Python the words take half the time in which a slot's process starts.
    found: Mapping[str, Mapping[str, str]] = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return found


_HERE = Path(__file__).parent
PROBLEMS = read(_HERE, "problems")
NOTES = read(_HERE, "notes")
STAGES = read(_HERE, "stages")
