"""A document as Word that flows: styles, lists, tables, headers and footnotes as such; no frames, no text boxes."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_margins import Margins, write_margins
from cluster.engines.export.word_notes import add_notes, kind_of, numbered, own_marks, reference
from cluster.engines.export.word_table import narrowing, table_xml
from cluster.engines.export.word_xml import (
    COLUMN_BREAK,
    LOW_MARK,
    columns,
    floating_picture,
    inline_picture,
    paragraph_properties,
    run,
    run_properties,
    section,
)
from cluster.engines.layout.filled import MOST_BELOW, slack
from cluster.engines.layout.floating import with_floating
from cluster.engines.layout.letters import BULLETS, CONTENTS, family, joined, text_of, value_of
from cluster.engines.layout.model import Band, Block, Document, Figure, Paragraph, Span, Table

_ALIGN = {"left": "left", "center": "center", "right": "right", "both": "both"}
_LEADER = ' w:leader="dot"'
#: A paragraph between two tables, or below the last: as low as can be.
_LOWEST = 1.0
#: Columns whose widths differ by less (points) are the same.
_NEAR = 12
#: A stop at the column's edge lies so far inside of it.
_INSIDE = 0.5


def write_flow(document: Document, path: Path, title: str = "") -> None:
    """Write the document as `path`."""
    _Flow(document).write(path, title)


@dataclass
class _Lists:
    """Lists that go on: by family and depth their number and last value."""

    open: dict[tuple[str, int, str], tuple[int, int]] = field(default_factory=dict)

    def number(self, file: WordFile, text: Paragraph, glyph: str) -> int:
        kind, value = family(text.mark), value_of(text.mark)
        bullet = kind == "bullet"
        key = (
            f"bullet {glyph}" if bullet else kind,
            text.level,
            text.mark.rpartition(".")[0] if kind[:5] == "multi" else "",
        )
        last = self.open.get(key)
        if last is None or (not bullet and last[1] + 1 != value):
            last = (file.new_list(text.mark, glyph, text.level), value)
        self.open[key] = (last[0], value)
        return last[0]


class _Flow:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.file = WordFile(document.body)
        self.lists = _Lists()
        self.marks = own_marks(document.notes)
        self.margins = write_margins(self.file, document) or [Margins()]
        self.begun = -1

    def write(self, path: Path, title: str) -> None:
        bands = self.document.bands
        for band, after in itertools.zip_longest(bands, bands[1:]):
            self._blocks(band)
            if after is not None and self._parted(band, after):
                new_page = after.blocks[0].new_page
                after.blocks[0].new_page = False
                self.file.part_section(self._section(band))
                self.new_page = new_page
        last = bands[-1] if bands else Band(1, 0, [], 0, 72, 523)
        self.file.close_section(self._section(last))
        for kind in ("footnote", "endnote"):
            add_notes(self.file, kind, self.document.notes)
        self.file.save(path, title)

    new_page = True

    def _parted(self, one: Band, other: Band) -> bool:
        sizes = self.document.sizes
        another = self._run_of(one.page) != self._run_of(other.page)
        another = another or self.document.top(one.page) != self.document.top(other.page)
        return another or not _alike(one, other) or sizes[one.page] != sizes[other.page]

    def _run_of(self, page: int) -> int:
        """The number of the run of pages with the same headers and footers."""
        return max((at for at, run in enumerate(self.document.running) if run.page <= page), default=0)

    def _section(self, band: Band) -> str:
        run = self._run_of(band.page)
        margins, begins, self.begun = self.margins[run], run != self.begun, run
        sizes = self.document.sizes
        size = sizes[band.page] if sizes else (595.0, 842.0)
        left, _, right, bottom = self.document.margins
        top = self.document.top(band.page)
        if sizes and size != sizes[0]:
            left, right = band.left, size[0] - band.right
        made = section(
            size,
            (
                max(0, left),
                max(12, top),
                max(0, right - 0.5),
                max(12, min(bottom, MOST_BELOW) - slack(self.document)),
            ),
            references=margins.references + numbered(self.document.notes),
            columns=columns(band.columns, band.gap, band.uneven),
            header=margins.header,
            footer=margins.footer,
            new_page=self.new_page,
            first_apart=margins.first_apart and begins,
            number=margins.number if begins and (run or margins.number != 1) else None,
            roman=margins.roman,
        )
        self.new_page = True
        return made

    def _blocks(self, band: Band) -> None:
        after_table = False
        for block, figures in with_floating(band.blocks):
            beside = "".join(map(self._floating, figures))
            if isinstance(block, Table):
                self._table(block, after_table, beside)
            else:
                self.file.add(self.block(block, beside=beside))
            after_table = isinstance(block, Table)
        # LibreOffice takes a table out of its column where nothing but the section's last, empty paragraph follows.
        for _ in range(min(2, band.columns) if after_table else 0):
            self.file.add(f"<w:p>{paragraph_properties(pitch=_LOWEST)}</w:p>")

    def _table(self, table: Table, after_table: bool, beside: str) -> None:
        begins = table.new_page or table.new_column
        if begins or after_table or table.before > 6 or beside:
            high = min(20.0, max(_LOWEST, table.before))
            props = paragraph_properties(page_break=table.new_page, pitch=high, before=max(0.0, table.before - 20))
            self.file.add(f"<w:p>{props}{COLUMN_BREAK if table.new_column else ''}{beside}</w:p>")
        self.file.add(table_xml(table, self.block))

    def block(self, block: Block, room: float | None = None, beside: str = "") -> str:
        """A w:p of a paragraph or a picture; `beside` are the runs of what floats beside it.

        `room` is how wide (points) a line may be in the cell that it stands in, None where it stands in none.
        """
        assert not isinstance(block, Table)  # noqa: S101 - tables in tables are not made
        made = self._figure(block, room is not None) if isinstance(block, Figure) else self._paragraph(block, room)
        properties, end, runs = made.partition("</w:pPr>")
        return properties + end + beside + runs

    def _floating(self, figure: Figure) -> str:
        relation, number = self.file.picture(figure.picture.path)
        around = figure.place == "beside"
        return floating_picture(relation, number, figure.box, figure.picture.text, around=around)

    def _figure(self, figure: Figure, cell: bool) -> str:
        left, top, right, bottom = figure.box
        relation, number = self.file.picture(figure.picture.path)
        props = paragraph_properties(
            page_break=figure.new_page and not cell,
            before=0 if cell else figure.before,
            left=0 if cell or figure.align == "center" else figure.left,
            align=_ALIGN[figure.align],
            marked=LOW_MARK,
        )
        picture = inline_picture(relation, number, (right - left, bottom - top), figure.picture.text)
        return f"<w:p>{props}{COLUMN_BREAK if figure.new_column else ''}{picture}</w:p>"

    def _paragraph(self, text: Paragraph, room: float | None) -> str:
        spans, cell = joined(text.lines), room is not None
        if text.align in ("right", "center") and spans:
            spans[0] = replace(spans[0], text=spans[0].text.lstrip())
        common: dict[str, Any] = {
            "page_break": text.new_page and not cell,
            "before": text.before,
            "pitch": text.pitch or text.size * 1.2,
            "together": text.together,
            "align": _ALIGN[text.align],
            "fill": None if cell else text.fill,
        }
        if text.kind == "item":
            return self._item(text, spans, common)
        style = ""
        place: dict[str, Any] = {"left": text.left, "first": text.first, "right": text.right}
        if text.kind == "heading":
            style = self.file.style("Title" if text.level == 0 else f"Heading {text.level}")
        tabs = _tabs(text)
        if text.contents and len(text.lines) == 1:
            spans = _entry(spans)
            tabs = [*_tabs_within(text, spans[:-1]), (text.lines[0].box[2] - _origin(text), "right", _LEADER)]
        keep = not text.ends_page if text.kind == "heading" else None
        props = paragraph_properties(style=style, keep=keep, tabs=tabs, **place, **common)
        runs = self.runs(spans, 0.0 if room is None else narrowing(text, room))
        return f"<w:p>{props}{COLUMN_BREAK if text.new_column else ''}{runs}</w:p>"

    def _item(self, text: Paragraph, spans: list[Span], common: dict[str, Any]) -> str:
        line, words = text.lines[0], text_of(text.lines).lstrip()
        glyph = words[0] if words[0] in BULLETS else "•"
        number = self.lists.number(self.file, text, glyph)
        alone = bool(line.tabs) and len(line.text.partition("\t")[0].strip()) <= len(text.mark)
        hang = max(0.0, line.tabs[0] - line.box[0] if alone else -text.first if text.first < -3 else 0)
        tabs = _tabs(replace(text, lines=[replace(line, tabs=line.tabs[alone:])])) if len(text.lines) == 1 else []
        if text.first < -3 or len(text.lines) == 1 or not hang:
            start = text.left + min(0.0, text.first) if text.first < 0 or len(text.lines) > 1 else text.left
            left, first = start + (hang or 18), -(hang or 18)
        else:
            left, first = text.left, text.first
            tabs = [(text.left + text.first + hang, "left", ""), *tabs]
        style = self.file.style("List Paragraph")
        place: dict[str, Any] = {"left": max(0.0, left), "first": first, "right": text.right}
        rest, look = _unmarked(text.mark, spans), replace(line.spans[0].style, underline=False)
        if text.mark == "•" and rest:
            look = replace(look, font=rest[0].style.font)
        marked = run_properties(look, text.mark)
        props = paragraph_properties(
            style=style, number=(number, text.level), tabs=tabs, marked=marked, **place, **common
        )
        return f"<w:p>{props}{COLUMN_BREAK if text.new_column else ''}{self.runs(rest)}</w:p>"

    def runs(self, spans: Sequence[Span], more: float = 0.0) -> str:
        """w:r elements, those with the same address in a w:hyperlink; each letter has so many points `more`."""
        out = []
        for address, group in itertools.groupby(spans, key=lambda span: span.style.link):
            made = "".join(self._run(span, more) for span in group)
            out.append(f'<w:hyperlink r:id="{self.file.link(address)}">{made}</w:hyperlink>' if address else made)
        return "".join(out)

    def _run(self, span: Span, more: float) -> str:
        note = ""
        if span.note is not None:
            note = reference(span.note, kind_of(self.document.notes[span.note]), self.marks[span.note])
        return note + (run(span, more=more) if span.text else "")


def _alike(one: Band, other: Band) -> bool:
    """Whether their columns are the same."""
    near = len(one.uneven) == len(other.uneven) and all(
        abs(mine[0] - its[0]) < _NEAR for mine, its in zip(one.uneven, other.uneven, strict=True)
    )
    return one.columns == other.columns and near


def _origin(text: Paragraph) -> float:
    """Where the column begins that the paragraph stands in."""
    return text.lines[0].box[0] - text.left - max(0.0, text.first)


def _tabs(text: Paragraph) -> list[tuple[float, str, str]]:
    places = sorted({round(place - _origin(text)) for line in text.lines for place in line.tabs})
    if text.flush and len(text.lines) == 1:  # not broken off, where its letters turn out wider
        return [*_stops(places[:-1]), (text.lines[0].box[2] - _origin(text) - _INSIDE, "right", "")]
    return _stops(places)


def _tabs_within(text: Paragraph, spans: Sequence[Span]) -> list[tuple[float, str, str]]:
    """Of its one line, those of the spans that it begins with."""
    count = sum(span.text.count("\t") for span in spans)
    return _stops([round(place - _origin(text)) for place in text.lines[0].tabs[:count]])


def _stops(places: Sequence[float]) -> list[tuple[float, str, str]]:
    return [(float(place), "left", "") for place in places if place > 0]


def _entry(spans: list[Span]) -> list[Span]:
    """An entry of a table of contents: its dots become one tab."""
    whole = "".join(span.text for span in spans).rstrip()
    found = CONTENTS.search(whole)
    keep = found.start() if found else len(whole)
    page = whole[keep:].lstrip(".… \t\xa0")
    out, done = [], 0
    for span in spans:
        if taken := span.text[: max(0, keep - done)]:
            out.append(replace(span, text=taken))
        done += len(span.text)
    return [*out, replace(spans[-1], text="\t" + page)]


def _unmarked(mark: str, spans: list[Span]) -> list[Span]:
    """The item's text behind its mark and the blanks after it."""
    text = "".join(span.text for span in spans)
    cut = len(text) - len(text.lstrip()) + (1 if mark == "•" else len(mark))
    while cut < len(text) and text[cut] in " \t\u3000\xa0":
        cut += 1
    out = []
    for span in spans:
        taken = min(cut, len(span.text))
        cut -= taken
        if span.text[taken:] or span.note is not None:
            out.append(replace(span, text=span.text[taken:]))
    return out
