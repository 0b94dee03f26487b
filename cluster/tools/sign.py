"""Signatures: drawn, typed or a picture, initials and dates, put on pages by hand; then, if wished, a certificate's.

Decisions:
- A mark's size is its height on the page, so that a date keeps its size when its words change.
- What is drawn stays curves, what is typed stays text.
- A field that waits for a signature is signed where it stands, also where earlier signatures allow no new block; a
  field that the document does not have is refused, not replaced by another.
- The certificate file is an upload like others and its password is sealed like others; both are read in memory only.
"""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.kinds import PDF
from cluster.opening import open_judged
from cluster.pages import parse_pages
from cluster.problem import InputProblem
from cluster.settings import settings
from cluster.signing import Certificate, Dated, Drawn, NoCertificate, Options, Picture, Typed
from cluster.tool import Group, Output, Tool, Work

if TYPE_CHECKING:
    import pikepdf

    from cluster.engines.fonts.embed import Fonts
    from cluster.engines.marks.overlay import Mark
    from cluster.engines.marks.placing import At
    from cluster.engines.sign.field import Empty
    from cluster.engines.sign.identity import Identity
    from cluster.engines.sign.looks import Looks, Shown

#: Pixels of the longer side of a picture: finding its paper takes 70 bytes a pixel.
_LONGEST = 2000
#: Of a mark's height, how far letters and strokes may reach over their box.
_REACH = 0.4
#: Before the lines of a certificate's block.
_WORDS = {
    "zh": ("数字签名：", "时间：", "原因：", "地点："),
    "en": ("Digitally signed by ", "Date: ", "Reason: ", "Place: "),
}


def sign(work: Work[Options]) -> None:
    """Put the marks on their pages, then sign with the certificate; on a signed document nothing is rewritten."""
    from cluster.engines.forms.signed import signatures
    from cluster.engines.sign.update import Unreadable

    chosen = work.options
    if not any(mark.spots for mark in chosen.marks) and isinstance(chosen.certificate, NoCertificate):
        raise InputProblem("nothing_to_sign", file=work.source.name)
    identity = _identity(work)
    with open_judged(work, work.source) as (pdf, damaged):
        work.allow(len(pdf.pages))
        _field(work, pdf)
        signed, output = signatures(pdf), _output(work, pdf)
        if signed and not damaged:
            told = len(work.notes)
            try:
                _update(work, pdf, work.source.path, identity, output.path, with_marks=True)
                return
            except Unreadable:
                del work.notes[told:]  # what cannot be added to is rewritten, as every other tool would
        _rewrite(work, pdf, signed, identity, output.path)


def _rewrite(work: Work[Options], pdf: "pikepdf.Pdf", signed: int, identity: "Identity | None", path: Path) -> None:
    """The marks become content of the pages; a certificate then signs that document."""
    from cluster.engines.fonts.embed import Fonts
    from cluster.engines.marks.placing import Drawn as Marks
    from cluster.engines.marks.placing import place
    from cluster.engines.pdf.open import save_pdf
    from cluster.engines.sign.update import Unreadable

    fonts, on_pages = Fonts(pdf), _on_pages(work.options, len(pdf.pages))
    place(pdf, Marks(_drawing(work, pdf, fonts)), on_pages, work.progress)
    fonts.embed()
    _tell_rewritten(work, pdf, len(on_pages), signed)
    if identity is None:
        save_pdf(work, pdf, path)
        return
    plain = work.scratch("unsigned.pdf")
    plain.parent.mkdir(parents=True, exist_ok=True)
    save_pdf(work, pdf, plain)
    try:
        _update(work, pdf, plain, identity, path, with_marks=False)
    except Unreadable as error:
        raise InputProblem("damaged_file", file=work.source.name) from error


def _tell_rewritten(work: Work[Options], pdf: "pikepdf.Pdf", pages: int, signed: int) -> None:
    if pages:
        work.note("changed", "pages_signed", count=pages)
    if pdf.is_encrypted:
        work.note("changed", "password_removed")
    if signed:
        work.note("lost", "signature_broken", count=signed)


def _update(
    work: Work[Options], pdf: "pikepdf.Pdf", path: Path, identity: "Identity | None", output: Path, *, with_marks: bool
) -> None:
    """All that is wished as an incremental update of the document at `path`, whose pages are `pdf`'s."""
    from cluster.engines.fonts.embed import Fonts
    from cluster.engines.sign.looks import Looks
    from cluster.engines.sign.update import add_stamps, updating

    with updating(path, work.source.password) as writer:
        visible = _allowed(work, writer.prev, identity)
        looks = Looks()
        fonts = Fonts(looks.pdf)
        stamps = _stamps(work, pdf, looks, fonts) if with_marks else []
        block = _block(work, pdf, looks, fonts, identity) if identity and visible else None
        fonts.embed()
        drawn = looks.save(work.scratch("looks.pdf")) if stamps or block else None
        if drawn and stamps:
            add_stamps(writer, drawn, stamps)
            work.note("changed", "marks_added", count=len({stamp.page for stamp in stamps}))
        if identity:
            _certify(work, writer, identity, block, drawn, output)
        else:
            with output.open("wb") as stream:
                writer.write(stream)


def _allowed(work: Work[Options], reader: Any, identity: "Identity | None") -> bool:
    """Tell who signed before; whether a visible signature may come, too. Raises what their signatures forbid."""
    from cluster.engines.sign.earlier import ANYTHING, COMMENTS, FINAL, allowed, earlier

    found, level, name = earlier(reader), allowed(reader), work.source.name
    for kind, what, intact in (("kept", "signed_before", True), ("told", "signed_broken", False)):
        if some := [str(each) for each in found if each.intact is intact]:
            work.note(kind, what, count=len(some), detail="；".join(some))  # type: ignore[arg-type]
    certificate = work.options.certificate
    if level == FINAL:
        raise InputProblem("signed_final", file=name)
    if level < COMMENTS and any(mark.spots for mark in work.options.marks):
        raise InputProblem("signed_no_marks", file=name)
    if isinstance(certificate, NoCertificate):
        return False
    if found and certificate.level != "approve":
        raise InputProblem("certify_not_first", file=name)
    room = level == ANYTHING or bool(certificate.field)
    if not room and certificate.visible and identity:
        work.note("told", "block_left_out")
    return room and certificate.visible


def _certify(
    work: Work[Options], writer: Any, identity: "Identity", block: "Shown | None", looks: Path | None, output: Path
) -> None:
    """Sign, with a time stamp where the operator has named a server and it answers."""
    from cluster.engines.sign.update import Signing, Words

    chosen = work.options.certificate
    if not isinstance(chosen, Certificate):
        return
    ask = work.listener.timestamp if settings().timestamp_url else None
    signing = Signing(identity, Words(chosen.reason, chosen.place), chosen.level, block, looks, chosen.field)
    timed = signing.sign(writer, output, ask)
    work.note("changed", "signed_timed" if timed else "signed_with", detail=identity.name)
    if ask and not timed:
        work.note("lost", "timestamp_missing")


def _identity(work: Work[Options]) -> "Identity | None":
    from cluster.engines.sign.identity import read_identity

    chosen = work.options.certificate
    if isinstance(chosen, NoCertificate):
        return None
    return read_identity(_extra(work, chosen.file), chosen.password)


def _output(work: Work[Options], pdf: "pikepdf.Pdf") -> Output:
    output = work.output(PDF)
    output.pages = len(pdf.pages)
    output.text = any(isinstance(mark, Typed | Dated) and mark.spots for mark in work.options.marks) or None
    return output


def _on_pages(chosen: Options, count: int) -> "dict[int, list[At]]":
    """What stands on each page, by its number; the mark that comes later lies above."""
    from cluster.engines.marks.placing import At

    found: dict[int, list[At]] = {}
    for number, mark in enumerate(chosen.marks):
        for spot in mark.spots:
            at = At(number, spot.height, (spot.x, spot.y), spot.angle)
            for page in sorted(set(parse_pages(spot.pages, count))):
                found.setdefault(page, []).append(at)
    return found


def _stamps(work: Work[Options], pdf: "pikepdf.Pdf", looks: "Looks", fonts: "Fonts") -> "list[Shown]":
    """The marks as annotations."""
    from cluster.engines.marks.place import view_of
    from cluster.engines.marks.placing import Drawn as Marks

    marks, pages, found = Marks(_drawing(work, looks.pdf, fonts)), list(pdf.pages), []
    for number, spots in sorted(_on_pages(work.options, len(pages)).items()):
        view = view_of(pages[number - 1])
        for at in spots:
            found.append(looks.show(number - 1, view, marks(at), at.centre(view), at.angle, _REACH * at.height))
    return found


def _block(
    work: Work[Options], pdf: "pikepdf.Pdf", looks: "Looks", fonts: "Fonts", identity: "Identity"
) -> "Shown | None":
    """What is seen of the certificate's signature."""
    from cluster.engines.marks.place import pointed, view_of
    from cluster.engines.sign.block import RATIO, block_mark

    chosen = work.options.certificate
    if not isinstance(chosen, Certificate):
        return None
    count, at, empty = len(pdf.pages), chosen.block, _field(work, pdf)
    page = empty.page if empty else min(at.page or count, count) - 1
    width, height = (empty.width, empty.height) if empty else (at.width, at.width * RATIO)
    if not width:
        return None
    view = view_of(pdf.pages[page])
    mark = block_mark(looks.pdf, fonts, _said(work, chosen, identity), width, height)
    return looks.show(page, view, mark, empty.centre if empty else pointed(view, at.x, at.y))


def _field(work: Work[Options], pdf: "pikepdf.Pdf") -> "Empty | None":
    """The document's own field that is to be signed; None for a new one."""
    from cluster.engines.sign.field import find_empty

    chosen = work.options.certificate
    if not isinstance(chosen, Certificate) or not chosen.field:
        return None
    if (found := find_empty(pdf, chosen.field)) is None:
        raise InputProblem("sign_field_unknown", file=work.source.name, field=chosen.field[:80])
    return found


def _said(work: Work[Options], chosen: Certificate, identity: "Identity") -> list[str]:
    """The block's lines."""
    now = datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S %z")
    words = _WORDS[work.language]
    lines = [words[0] + identity.name, words[1] + now]
    return [*lines, *(word + text for word, text in zip(words[2:], (chosen.reason, chosen.place), strict=True) if text)]


def _drawing(work: Work[Options], pdf: "pikepdf.Pdf", fonts: "Fonts") -> "Callable[[int, float], Mark]":
    """Draws a mark, by its number, so high."""
    from cluster.engines.fonts.embed import LEADING
    from cluster.engines.marks.ink import ink_mark
    from cluster.engines.marks.overlay import picture_mark, text_mark

    pictures: dict[int, tuple[Any, float]] = {}

    def draw(number: int, height: float) -> "Mark":
        mark = work.options.marks[number]
        if isinstance(mark, Drawn):
            return ink_mark(pdf, mark.strokes, (mark.width, mark.height), height=height, colour=mark.colour)
        if isinstance(mark, Picture):
            if number not in pictures:
                pictures[number] = _picture(work, pdf, mark)
            image, ratio = pictures[number]
            return picture_mark(pdf, image, height / ratio, ratio)
        size = height / LEADING
        return text_mark(pdf, fonts, [_text(work, mark)], size=size, family=mark.face, colour=mark.colour)

    return draw


def _picture(work: Work[Options], pdf: "pikepdf.Pdf", mark: Picture) -> tuple[Any, float]:
    """The picture without its paper, if that is asked for, and its height over its width."""
    from cluster.engines.marks.artwork import open_picture, picture_object, upright
    from cluster.engines.pictures.white import without_white

    name = mark.file.rpartition("/")[2]
    picture = upright(open_picture(_extra(work, mark.file), name), name)
    picture.thumbnail((_LONGEST, _LONGEST))
    whole = without_white(picture) if mark.clear else picture
    return picture_object(pdf, whole), whole.height / whole.width


def _text(work: Work[Options], mark: Typed | Dated) -> str:
    from cluster.engines.marks.stamp import dated

    if isinstance(mark, Typed):
        return mark.text.strip()
    today = datetime.datetime.now().astimezone().date()
    return dated(_day(work, mark.day) if mark.day else today, mark.format)


def _day(work: Work[Options], text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        said = ("没有这一天", "there is no such day")[work.language != "zh"]
        raise InputProblem("option_invalid", field="marks.day", detail=said) from error


def _extra(work: Work[Options], key: str) -> Path:
    if key not in work.extras:
        raise InputProblem("file_unknown", file=key)
    return work.extras[key]


TOOL = Tool(
    id=19,
    key="sign",
    route="/PdfSign",
    group=Group.MARKS,
    options=Options,
    run=sign,
    suffix=("签名", "signed"),
    icon="signature",
    editor="sign",
    example={"marks": [{"kind": "typed", "text": "Papercrane", "face": "caveat", "spots": [{}]}]},
)
