"""The words that users read: one YAML file a language, with the sentences of problems, receipts' notes and stages."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
#: key -> language -> sentence
Words = Mapping[str, Mapping[Language, str]]


class Section(Words):
    """A section of the files in `folder`, read when it is first asked: most parts of tasks tell nothing in words.

    KeyError where a language lacks a sentence.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    @cached_property
    def _held(self) -> Words:
        files = {each: _file(self._folder / f"{each}.yaml")[self._name] for each in LANGUAGES}
        return {key: {language: held[key] for language, held in files.items()} for key in files["zh"]}

    def __getitem__(self, key: str) -> Mapping[Language, str]:
        return self._held[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


@cache
def _file(path: Path) -> Mapping[str, Mapping[str, str]]:
    import yaml

    # In C: in Python the words take half the time in which a slot's process starts.
    found: Mapping[str, Mapping[str, str]] = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return found


_HERE = Path(__file__).parent
PROBLEMS: Words = Section(_HERE, "problems")
NOTES: Words = Section(_HERE, "notes")
STAGES: Words = Section(_HERE, "stages")
