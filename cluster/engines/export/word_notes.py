"""Footnotes and endnotes of a Word file, numbered as they were."""

from collections import Counter
from collections.abc import Sequence

from cluster.engines.export.ooxml import clean
from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_xml import NAMESPACES, run
from cluster.engines.layout.model import Note
from cluster.engines.layout.notes import SYMBOLS

#: Word's own counts, and what the first mark says of another.
_USUAL = {"footnote": "decimal", "endnote": "lowerRoman"}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def kind_of(note: Note) -> str:
    """What Word calls it."""
    return "endnote" if note.at_end else "footnote"


def own_marks(notes: Sequence[Note]) -> list[str]:
    """The marks of notes that are marked otherwise than most of their kind, as an author's is; the others have none."""
    count = Counter((kind_of(note), _way(note.mark)) for note in notes)
    most = {kind: way for (kind, way), _ in reversed(count.most_common())}
    return ["" if _way(note.mark) == most[kind_of(note)] else note.mark for note in notes]


def reference(index: int, kind: str, mark: str = "") -> str:
    """The raised number of a note, or its own mark; ids 0 and 1 are Word's own."""
    own, text = (' w:customMarkFollows="1"', f"<w:t>{clean(mark)}</w:t>") if mark else ("", "")
    raised = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    return f'<w:r>{raised}<w:{kind}Reference{own} w:id="{index + 2}"/>{text}</w:r>'


def add_notes(file: WordFile, kind: str, notes: Sequence[Note]) -> None:
    """Write the notes of one kind as a part; each has the id of its index and two."""
    marked = enumerate(zip(notes, own_marks(notes), strict=True), 2)
    body = "".join(_note(number, note, kind, mark) for number, (note, mark) in marked if kind_of(note) == kind)
    if not body:
        return
    lines = "".join(
        f'<w:{kind} w:type="{tag}" w:id="{number}"><w:p><w:r><w:{tag}/></w:r></w:p></w:{kind}>'
        for number, tag in enumerate(("separator", "continuationSeparator"))
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    file.relate(f"{kind}s", f"{kind}s", f"{head}<w:{kind}s {NAMESPACES}>{lines}{body}</w:{kind}s>")


def _note(number: int, note: Note, kind: str, mark: str) -> str:
    text = "".join(run(span) for span in note.spans if span.text)
    size = round(note.spans[0].style.size * 2) if note.spans else 18
    return (
        f'<w:{kind} w:id="{number}"><w:p><w:r><w:rPr><w:sz w:val="{size}"/><w:vertAlign w:val="superscript"/></w:rPr>'
        f"{f'<w:t>{clean(mark)}</w:t>' if mark else f'<w:{kind}Ref/>'}</w:r>"
        f'<w:r><w:t xml:space="preserve"> </w:t></w:r>{text}</w:p></w:{kind}>'
    )


def numbered(notes: Sequence[Note]) -> str:
    """How a section counts them: elements of w:sectPr where that is not Word's own way."""
    counted = [note for note, mark in zip(notes, own_marks(notes), strict=True) if not mark]
    return "".join(_counted(kind, [note.mark for note in counted if kind_of(note) == kind]) for kind in _USUAL)


def _counted(kind: str, marks: Sequence[str]) -> str:
    if not marks:
        return ""
    way = _way(marks[0])
    form = f'<w:numFmt w:val="{way}"/>' if way != _USUAL[kind] else ""
    again = '<w:numRestart w:val="eachPage"/>' if kind == "footnote" and marks.count(marks[0]) > 1 else ""
    return f"<w:{kind}Pr>{form}{again}</w:{kind}Pr>" if form or again else ""


def _way(mark: str) -> str:
    if mark[0] in _CIRCLED:
        return "decimalEnclosedCircleChinese"
    if mark[0] in SYMBOLS:
        return "chicago"
    return "lowerRoman" if mark[0] in "ivx" else "decimal"
