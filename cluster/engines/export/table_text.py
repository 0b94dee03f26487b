"""Tables as text: csv, Markdown and HTML."""

import csv
import html
import io
from collections.abc import Iterable

from cluster.engines.export.values import harmless
from cluster.engines.layout.model import Cell, Paragraph, Table
from cluster.engines.layout.stacked import text_in

_STYLE = (
    "table{border-collapse:collapse;margin:1em 0}td{padding:.2em .6em;vertical-align:middle}.ruled td{border:1px solid}"
)


def grid_of(table: Table) -> list[list[str]]:
    """Rows of texts; a merged cell's stands in its first place, the others are empty."""
    rows = [[""] * (len(table.columns) - 1) for _ in range(len(table.rows) - 1)]
    for cell in table.cells:
        rows[cell.row][cell.column] = text_in(cell)
    return rows


def as_csv(table: Table) -> str:
    """Comma separated, lines ended as RFC 4180 has them."""
    out = io.StringIO()
    csv.writer(out).writerows([[harmless(text) for text in row] for row in grid_of(table)])
    return out.getvalue()


def as_markdown(table: Table) -> str:
    """A pipe table; the first row is its header."""
    rows = [[_piped(text) for text in row] for row in grid_of(table)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    return "\n".join(lines) + "\n"


def _piped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")


def as_html(tables: Iterable[Table], language: str) -> str:
    """A page of the tables with their merged cells; whatever stands in a cell is text."""
    head = f'<meta charset="utf-8"><title></title><style>{_STYLE}</style>'
    body = "\n".join(map(_table, tables))
    return f'<!DOCTYPE html>\n<html lang="{language}"><head>{head}</head><body>\n{body}\n</body></html>\n'


def _table(table: Table) -> str:
    rows: list[list[str]] = [[] for _ in table.rows[1:]]
    for cell in sorted(table.cells, key=lambda each: (each.row, each.column)):
        rows[cell.row].append(_cell(cell))
    lines = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    kind = ' class="ruled"' if table.ruled else ""
    return f"<table{kind}>\n{lines}\n</table>"


def _cell(cell: Cell) -> str:
    spans = [f' {name}="{count}"' for name, count in (("rowspan", cell.rows), ("colspan", cell.columns)) if count > 1]
    first = cell.blocks[0] if cell.blocks else None
    look = [f"text-align:{first.align}"] if isinstance(first, Paragraph) and first.align in ("center", "right") else []
    if cell.fill is not None:
        look.append(f"background:#{cell.fill:06x}")
    style = f' style="{";".join(look)}"' if look else ""
    text = html.escape(text_in(cell)).replace("\n", "<br>")
    bold = bool(cell.lines) and all(line.bold for line in cell.lines)
    return f"<td{''.join(spans)}{style}>{f'<b>{text}</b>' if bold and text else text}</td>"
