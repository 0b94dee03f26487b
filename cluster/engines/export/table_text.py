"""Tables as plain text: csv and Markdown."""

import csv
import io

from cluster.engines.export.values import harmless
from cluster.engines.layout.model import Table
from cluster.engines.layout.tables import text_in


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
