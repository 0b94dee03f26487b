"""The fonts of a PDF that go with Word like its pages: where people lack them, and their makers allow it."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from cluster.engines.export.ooxml import everybodys, face, holdable
from cluster.engines.export.word_file import Font, WordFile
from cluster.engines.fonts.carried import carry, may_carry
from cluster.engines.layout.model import Sheet, Span, Style, TextLine

#: Letters of a font's own name that are kept: Word knows names of 31.
_NAMED = 22
#: Bytes of a program, and of all files, at most.
_MOST, _MOST_MADE = 16 << 20, 24 << 20


@dataclass
class _Used:
    """A program's glyphs by letters, and how its letters look."""

    style: Style
    glyphs: dict[str, int] = field(default_factory=dict)


def with_own_fonts(file: WordFile, sheets: Sequence[Sheet]) -> list[Sheet]:
    """The sheets with styles that name fonts which now go with the file, wherever these have the letters.

    Of fonts that people have the file learns how wide their letters are.
    """
    left, names = _MOST_MADE, dict[Path, str]()
    for path, used in _used(sheets).items():
        program = path.read_bytes() if path.stat().st_size <= _MOST else b""
        style, name = used.style, _called(used.style.font, program)
        made = carry(program, used.glyphs, name, style.bold, style.italic)
        if made and everybodys(style.font):
            # A blank that the program lacks was made up.
            known = {letter: made.widths[letter] for letter in used.glyphs}
            file.known.setdefault((face(style), style.bold, style.italic), {}).update(known)
        elif made and may_carry(program) and len(made.data) <= left:
            left -= len(made.data)
            file.embed(Font(name, face(style), made.data, made.widths, style.bold, style.italic))
            names[path] = name
    return [_renamed(file, sheet, names) for sheet in sheets]


def _used(sheets: Sequence[Sheet]) -> dict[Path, _Used]:
    """The programs that letters are drawn with, by their files."""
    found: dict[Path, _Used] = {}
    for sheet in sheets:
        for style in (span.style for line in sheet.lines for span in line.spans):
            held = sheet.letterings.get(style.font)
            if held:
                used = found.setdefault(held.path, _Used(style))
                used.glyphs = {**held.glyphs, **used.glyphs}
    return found


def _called(font: str, program: bytes) -> str:
    """A name that no other font has: what a machine has by the same one would be taken instead."""
    own = holdable(font).replace(",", " ").strip()[:_NAMED] or "Font"
    return f"{own} {hashlib.sha256(program).hexdigest()[:8]}"


def _renamed(file: WordFile, sheet: Sheet, names: Mapping[Path, str]) -> Sheet:
    own = {font: names[held.path] for font, held in sheet.letterings.items() if held.path in names}
    return replace(sheet, lines=tuple(_line(file, line, own) for line in sheet.lines)) if own else sheet


def _line(file: WordFile, line: TextLine, own: Mapping[str, str]) -> TextLine:
    return replace(line, spans=tuple(part for span in line.spans for part in _parts(file, span, own)))


def _parts(file: WordFile, span: Span, own: Mapping[str, str]) -> Iterator[Span]:
    """The span, its letters that the font lacks apart, which stay in what stands for it."""
    name = own.get(span.style.font)
    if name is None:
        yield span
        return
    start = 0
    for held, letters in groupby(span.text, file.fonts[name].widths.__contains__):
        part = span.cut(start, start := start + len(list(letters)))
        yield replace(part, style=replace(span.style, font=name)) if held else part
