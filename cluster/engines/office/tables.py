"""Tables kept as text, with a separator between their cells, made ready for LibreOffice: in UTF-8, told how to read."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cluster.engines.office.text import decoded
from cluster.files import Source
from cluster.problem import LimitProblem

#: 64 MB of text are about a million rows.
LIMIT = 64 << 20
ROWS, COLUMNS = 1 << 20, 16_384
#: The rarer in running text, the sooner it is believed.
SEPARATORS = {"tab": "\t", "semicolon": ";", "pipe": "|", "comma": ","}
#: Rows that the separator is found by.
_SAMPLE = 200
#: A number as people write it; one with a leading zero or more than 15 digits is a name made of digits.
_NUMBER = re.compile(r"\s*[-+(]?[¥$€£]?\s?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,14})?(?:\.\d+)?\s?%?\)?\s*")
_UTF8, _AS_TEXT = 76, 2


@dataclass(frozen=True)
class Table:
    """How a table of text was read; `numbers` are the columns, from 0, with nothing but numbers below their head."""

    encoding: str
    separator: str
    rows: int
    columns: int
    numbers: tuple[int, ...]

    @property
    def filter_options(self) -> str:
        """For LibreOffice's import: every cell is what the file says, letter by letter."""
        formats = "/".join(f"{number}/{_AS_TEXT}" for number in range(1, self.columns + 1))
        return f"{ord(self.separator)},34,{_UTF8},1,{formats},0,true,false,false"


def rewritten(source: Source, path: Path, encoding: str | None, separator: str | None) -> Table:
    """Write `source` to `path` as LibreOffice shall read it. `encoding` and `separator`: None to find them.

    Raises damaged_file, too_large_when_opened.
    """
    text, named = decoded(source, LIMIT, encoding)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    said = re.match(r"sep=(.)\n", text)
    if said:  # Excel's own way to say it
        text = text[said.end() :]
    mark = separator or (said[1] if said and said[1] in SEPARATORS.values() else _separator(text))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    table = _measured(text, named, mark)
    if table.rows > ROWS or table.columns > COLUMNS:
        raise LimitProblem("too_large_when_opened", file=source.name)
    return table


def _measured(text: str, encoding: str, mark: str) -> Table:
    rows = columns = 0
    numeric: list[bool | None] = []
    for row in _rows(text, mark):
        if len(row) > len(numeric):
            numeric += [None] * (len(row) - len(numeric))
        if rows:  # the first row is the head
            row += [""] * (len(numeric) - len(row))
            numeric = [_still(was, cell) for was, cell in zip(numeric, row, strict=True)]
        rows, columns = rows + 1, max(columns, len(row))
    return Table(encoding, mark, rows, columns, tuple(n for n, is_number in enumerate(numeric) if is_number))


def _still(was: bool | None, cell: str) -> bool | None:
    """Whether a column is one of numbers, after one more cell; None while nothing was in it."""
    if was is False or not cell.strip():
        return was
    return bool(_NUMBER.fullmatch(cell) and re.search(r"\d", cell))


def _separator(text: str) -> str:
    """The one that cuts most rows alike; a comma where none does."""
    return max(SEPARATORS.values(), key=lambda mark: _alike(text, mark))


def _alike(text: str, mark: str) -> float:
    """How many cells a row has, by the share of rows that have just as many; 0 where it cuts nothing."""
    counts = [len(row) for row in islice(_rows(text, mark), _SAMPLE) if row]
    usual = max(set(counts), key=lambda count: (counts.count(count), count), default=0)
    return usual * (counts.count(usual) / len(counts)) ** 4 if usual > 1 else 0.0


def _rows(text: str, mark: str) -> Iterator[list[str]]:
    csv.field_size_limit(LIMIT)
    return csv.reader(text.splitlines(keepends=True), delimiter=mark)
