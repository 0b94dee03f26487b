"""What people corrected of an earlier run: its JSON comes back in an option, and its result is written anew from it."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cluster.fields import Upload, shown
from cluster.problem import InputProblem
from cluster.tool import Source, Work

Corrected = Annotated[tuple[Upload, ...], Field(max_length=200), shown("校对后的数据", "Corrected data", "hidden")]
"""The JSON of an earlier run for each file, corrected: its result is written anew, no word is read."""


def correction_of(work: Work[Any], source: Source) -> Path | None:
    """The data that somebody corrected for this file, told; None where it was not corrected.

    Raises correction_unfit where others of the files were and this was not.
    """
    keys: tuple[str, ...] = work.options.corrected
    if not keys:
        return None
    path = work.extras.get(keys[source.index]) if source.index < len(keys) else None
    if path is None:
        raise InputProblem("correction_unfit", file=source.name)
    work.note("changed", "corrected")
    return path
