"""Tables as plain text: csv, Markdown, and JSON with the place and certainty of every cell."""

import csv
import io
from typing import Any

from cluster.engines.export.values import harmless
from cluster.engines.layout.model import Table
from cluster.engines.layout.tables import Found, text_in


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


def as_data(found: Found) -> dict[str, Any]:
    """One table for programs: pages from 1, cells with their spans, boxes in points and certainty (0 to 1)."""
    table = found.table
    return {
        "pages": [page + 1 for page in found.pages],
        "rows": len(table.rows) - 1,
        "columns": len(table.columns) - 1,
        "ruled": table.ruled,
        "cells": [
            {
                "row": cell.row,
                "column": cell.column,
                "rows": cell.rows,
                "columns": cell.columns,
                "text": text_in(cell),
                "score": round(cell.score, 3),
                "box": [round(value, 1) for value in cell.box],
            }
            for cell in table.cells
        ],
    }
