"""Tables whose cells are known, set by LibreOffice in every usual look, and how near to them what was read comes.

A `Table` is a list of cells; `documents` draws some of each kind by a seed, so that every run has the same. The measure
is that of ICDAR-2013: pairs of neighbouring texts, to the right and below, that were read and that are there.
"""

import html
import random
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

_WORDS = {
    "en": "total net income region north south east west retail revenue cost of goods sold unit price shipped on time",
    "zh": "资产总计 净利润 营业收入 成本 华东地区 华南 研发 单位 数量 交付 及时率 人员 合计 说明 第一季度 同比增长",
}
_PROSE = {
    "en": "The figures below were collected by the regional offices and checked twice before they were published, "
    "so that readers who compare them with those of earlier years may rely on every one of them without doubt.",
    "zh": "下表由各地区办事处汇总并经两次核对后公布，读者将其与往年数据比较时可以放心使用，不必再逐项核实来源。",
}
_LOOKS = {
    "ruled": "border:1px solid #000",
    "grey": "border:0.5pt solid #bbb",
    "flat": "border-top:1px solid #000;border-bottom:1px solid #000;border-left:none;border-right:none",
    "booktabs": "",
    "bare": "",
    "striped": "",
}
LOOKS = tuple(_LOOKS)


@dataclass(frozen=True)
class Cell:
    row: int
    column: int
    rows: int
    columns: int
    text: str


Table = Sequence[Cell]


@dataclass(frozen=True)
class Kind:
    """How tables are set; `head` has two rows with a merged cell, `tall` a first column that reaches over rows."""

    look: str
    language: str = "en"
    head: bool = False
    tall: bool = False
    wrapped: bool = False
    gaps: bool = False
    rows: int = 7
    columns: int = 5
    lies: bool = False


#: One document each, of three tables.
KINDS = (
    *(Kind(look, language) for look in LOOKS for language in ("en", "zh")),
    *(Kind(look, head=True, gaps=True) for look in LOOKS),
    *(Kind(look, "zh", wrapped=True, columns=4) for look in LOOKS),
    Kind("ruled", tall=True),
    Kind("grey", "zh", head=True, tall=True),
    Kind("bare", rows=20, columns=8, lies=True),
    Kind("ruled", rows=90, head=True),
    Kind("flat", "zh", rows=90),
    Kind("bare", rows=90),
)


def _number(pick: random.Random) -> str:
    value = pick.choice((pick.randint(0, 99), pick.randint(100, 99_999), pick.randint(10**5, 10**8)))
    form = pick.choice(("{:,}", "{:,.2f}", "({:,})", "{:.1f}%", "-{:,}", "{}"))
    return form.format(value % 100 if "%" in form else value)


def _text(pick: random.Random, kind: Kind, least: int = 1, most: int = 3) -> str:
    glue = " " if kind.language == "en" else ""
    return glue.join(pick.choice(_WORDS[kind.language].split()) for _ in range(pick.randint(least, most)))


def table(pick: random.Random, kind: Kind) -> list[Cell]:
    """A header, a first column of words, and numbers."""
    cells, top = [], 1
    if kind.head:
        cells.append(Cell(0, 0, 2, 1, _text(pick, kind)))
        half = (kind.columns + 1) // 2
        cells += [Cell(0, 1, 1, half - 1, _text(pick, kind)), Cell(0, half, 1, kind.columns - half, _text(pick, kind))]
        cells += [Cell(1, column, 1, 1, _text(pick, kind, 1, 2)) for column in range(1, kind.columns)]
        top = 2
    else:
        cells += [Cell(0, column, 1, 1, _text(pick, kind, 1, 2)) for column in range(kind.columns)]
    for row in range(top, kind.rows):
        if not kind.tall:
            cells.append(Cell(row, 0, 1, 1, f"{_text(pick, kind)} {row}"))
        elif (row - top) % 2 == 0:
            cells.append(Cell(row, 0, min(2, kind.rows - row), 1, f"{_text(pick, kind)} {row}"))
        for column in range(1, kind.columns):
            wordy = kind.wrapped and column == kind.columns - 1
            text = _text(pick, kind, 9, 16) if wordy else _number(pick)
            cells.append(Cell(row, column, 1, 1, "" if kind.gaps and pick.random() < 0.15 else text))
    return cells


def _style(kind: Kind, cell: Cell) -> str:
    sides = [_LOOKS[kind.look]]
    last = cell.row + cell.rows == kind.rows
    if kind.look == "booktabs":
        head = cell.row + cell.rows == (2 if kind.head else 1)
        sides += ["border-top:1.5px solid #000"] * (cell.row == 0) + ["border-bottom:1px solid #000"] * (head or last)
    if kind.look == "striped" and cell.row % 2:
        sides.append("background:#e8eef4")
    return ";".join(each for each in sides if each)


def _align(kind: Kind, cell: Cell) -> str:
    """Words begin at the left and numbers end at the right, mostly also under heads that begin at the left."""
    if cell.column == 0 or (kind.wrapped and cell.column == kind.columns - 1):
        return "left"
    if cell.columns > 1:
        return "center"
    return "left" if cell.row == 0 and kind.look == "flat" and not kind.head else "right"


def _html(kind: Kind, cells: Table) -> str:
    """Writer's HTML: widths are shares, so that every look has the same columns."""
    rows: list[list[str]] = [[] for _ in range(kind.rows)]
    for cell in sorted(cells, key=lambda each: (each.row, each.column)):
        spans = f'rowspan="{cell.rows}" colspan="{cell.columns}"'
        wide = 30 if kind.wrapped and cell.column == kind.columns - 1 else round(70 / kind.columns)
        rows[cell.row].append(
            f'<td {spans} width="{wide}%" align="{_align(kind, cell)}" style="{_style(kind, cell)}">'
            f"{html.escape(cell.text)}</td>"
        )
    lines = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<table width="100%" cellspacing="0" cellpadding="7">{lines}</table><p>&nbsp;</p>'


def page_of(kind: Kind, tables: Sequence[Table]) -> str:
    prose = f"<p>{_PROSE[kind.language]}</p>"
    size = "29.7cm 21cm" if kind.lies else "21cm 29.7cm"
    body = prose + prose.join(_html(kind, each) for each in tables) + prose
    font = "Liberation Sans" if kind.language == "en" else "Noto Sans CJK SC"
    head = (
        f'<meta charset="utf-8"><style>@page{{size:{size};margin:2cm}} *{{font-family:"{font}";font-size:10pt}}</style>'
    )
    return f"<html><head>{head}</head><body>{body}</body></html>"


def documents(folder: Path, kinds: Sequence[Kind] = KINDS) -> list[tuple[Kind, Path, list[list[Cell]]]]:
    """A PDF of each kind in `folder`, with its tables."""
    made = []
    for number, kind in enumerate(kinds):
        pick = random.Random(number)
        tables = [table(pick, kind) for _ in range(1 if kind.rows > 20 else 3)]
        source = folder / f"{number:02}.html"
        source.write_text(page_of(kind, tables), encoding="utf-8")
        made.append((kind, source.with_suffix(".pdf"), tables))
    sources = [path.with_suffix(".html") for _, path, _ in made]
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    into = ("--infilter=HTML (StarWriter)", "--convert-to", "pdf:writer_pdf_Export", "--outdir", str(folder))
    subprocess.run(["soffice", profile, "--headless", *into, *map(str, sources)], check=True, capture_output=True)
    return made


def bare(text: str) -> str:
    """Without blanks: where lines break is not told."""
    return "".join(text.split())


def neighbours(cells: Iterable[Cell]) -> Counter[tuple[str, str, str]]:
    """Every pair of texts of which one is the next to the right of the other, or the next below."""
    own = [replace(each, text=bare(each.text)) for each in cells if bare(each.text)]
    pairs: Counter[tuple[str, str, str]] = Counter()
    places = {
        (row, column): each
        for each in own
        for row in range(each.row, each.row + each.rows)
        for column in range(each.column, each.column + each.columns)
    }
    far = max((max(place) for place in places), default=0) + 1
    for each in own:
        right = {_next(places, row, each.column + each.columns, (0, 1), far) for row in _reach(each.row, each.rows)}
        below = {_next(places, each.row + each.rows, at, (1, 0), far) for at in _reach(each.column, each.columns)}
        pairs.update((each.text, other.text, "right") for other in right if other)
        pairs.update((each.text, other.text, "below") for other in below if other)
    return pairs


def _reach(start: int, count: int) -> range:
    return range(start, start + count)


def _next(places: dict[tuple[int, int], Cell], row: int, column: int, step: tuple[int, int], far: int) -> Cell | None:
    while row <= far and column <= far:
        if found := places.get((row, column)):
            return found
        row, column = row + step[0], column + step[1]
    return None


def grid(cells: Table) -> frozenset[tuple[int, int, int, int, str]]:
    """What an exact table has: every text in its place with its spans."""
    return frozenset((c.row, c.column, c.rows, c.columns, bare(c.text)) for c in cells if bare(c.text))


@dataclass
class Score:
    """Pairs that are right, that were read, and that are there; tables read exactly, of all."""

    right: int = 0
    read: int = 0
    there: int = 0
    exact: int = 0
    tables: int = 0

    def add(self, truth: Sequence[Table], read: Sequence[Table]) -> None:
        wanted, got = (sum((neighbours(each) for each in side), Counter()) for side in (truth, read))
        self.right += (wanted & got).total()
        self.read += got.total()
        self.there += wanted.total()
        kept = [grid(each) for each in read]
        self.exact += sum(grid(each) in kept for each in truth)
        self.tables += len(truth)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, self.read + self.there)
