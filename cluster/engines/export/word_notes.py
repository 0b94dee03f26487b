"""Footnotes and endnotes of a Word file, numbered as they were."""

from collections.abc import Sequence

from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_xml import NAMESPACES, run
from cluster.engines.layout.model import Note

#: Word's own counts, and what the first mark says of another.
_USUAL = {"footnote": "decimal", "endnote": "lowerRoman"}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def kind_of(note: Note) -> str:
    """What Word calls it."""
    return "endnote" if note.at_end else "footnote"


def add_notes(file: WordFile, kind: str, notes: Sequence[Note]) -> None:
    """Write the notes of one kind as a part; each has the id of its index and two."""
    body = "".join(_note(number, note, kind) for number, note in enumerate(notes, 2) if kind_of(note) == kind)
    if not body:
        return
    lines = "".join(
        f'<w:{kind} w:type="{tag}" w:id="{number}"><w:p><w:r><w:{tag}/></w:r></w:p></w:{kind}>'
        for number, tag in enumerate(("separator", "continuationSeparator"))
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    file.relate(f"{kind}s", f"{kind}s", f"{head}<w:{kind}s {NAMESPACES}>{lines}{body}</w:{kind}s>")


def _note(number: int, note: Note, kind: str) -> str:
    text = "".join(run(span) for span in note.spans if span.text)
    size = round(note.spans[0].style.size * 2) if note.spans else 18
    return (
        f'<w:{kind} w:id="{number}"><w:p><w:r><w:rPr><w:sz w:val="{size}"/><w:vertAlign w:val="superscript"/></w:rPr>'
        f'<w:{kind}Ref/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>{text}</w:p></w:{kind}>'
    )


def numbered(notes: Sequence[Note]) -> str:
    """How a section counts them: elements of w:sectPr where that is not Word's own way."""
    return "".join(_counted(kind, [note.mark for note in notes if kind_of(note) == kind]) for kind in _USUAL)


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
    if mark[0] in "*†‡":
        return "chicago"
    return "lowerRoman" if mark[0] in "ivx" else "decimal"
