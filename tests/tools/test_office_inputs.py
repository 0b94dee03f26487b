"""Office files of every sort: broken, locked, small, loud, with comments; and what the receipt says of them."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cluster.engines.office import client as office
from cluster.engines.office.locks import unlocked
from cluster.kinds import DOC, DOCX, FODT, HTML, OFFICE_BROKEN, OOXML_LOCKED, PPTX, TXT, WORDML, XLSX, ZIP, kind_of
from cluster.tool import staged_name
from tests import look, make_doc, make_odf, make_office, make_sheets, make_slides
from tests.running import Ran, run_tool

pytestmark = pytest.mark.usefixtures("office_engine")
_BOX = '<draw:frame svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
_WORD_2003 = (
    '<?xml version="1.0" encoding="UTF-8"?><?mso-application progid="Word.Document"?>'
    '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body>'
    "<w:p><w:r><w:t>你好 2003</w:t></w:r></w:p></w:body></w:wordDocument>"
)
_PACKAGES: dict[str, Callable[[Path], Path]] = {
    "docx": make_office.docx,
    "odt": lambda path: make_odf.odt(path, "<text:p>你好</text:p>"),
    "xlsx": lambda path: make_sheets.xlsx(path, make_sheets.Sheet("S", [["你好"]])),
    "pptx": lambda path: make_slides.pptx(path, make_slides.Slide("你好")),
}


def convert(path: Path, password: str | None = None, **options: object) -> Ran:
    folder = path.parent / f"run-{path.name}"
    return run_tool("word_to_pdf", folder, [path], passwords={0: password} if password else None, **options)


def reason(path: Path, password: str | None = None) -> str:
    problem = convert(path, password).problem
    return problem.reason if problem else ""


def text(ran: Ran) -> str:
    return "".join("".join(page.split()) for page in look.texts_of(ran.path))


def doc(path: Path) -> Path:
    return make_office.converted(path, make_office.docx(path.with_suffix(".docx")), "MS Word 97")


@pytest.mark.parametrize(
    ("extension", "filter_name"),
    [("docx", ""), ("odt", "writer8"), ("rtf", "Rich Text Format"), ("doc", "MS Word 97")],
)
@pytest.mark.parametrize("comments", [False, True])
def test_comments_controls_and_notes(tmp_path: Path, extension: str, filter_name: str, comments: bool) -> None:
    path = make_office.commented(tmp_path / "a.docx")
    if filter_name:
        path = make_office.converted(tmp_path / f"b.{extension}", path, filter_name)
    ran = convert(path, comments=comments)
    shown = text(ran)
    assert all(word in shown for word in ("stays", "chosen", "BELOW"))
    assert any("REMARK" in note for _, note in look.notes_of(ran.path)) is comments


@pytest.mark.parametrize(
    ("application", "filter_name", "body"),
    [
        (
            "spreadsheet",
            "calc_pdf_Export",
            '<table:table table:name="T"><table:shapes>{control}</table:shapes><table:table-row><table:table-cell>'
            '<office:annotation office:display="true" svg:width="3cm" svg:height="1cm"><dc:creator>A</dc:creator>'
            "<text:p>REMARK</text:p></office:annotation><text:p>stays</text:p></table:table-cell></table:table-row>"
            "</table:table>",
        ),
        (
            "presentation",
            "impress_pdf_Export",
            f'<draw:page draw:name="P">{_BOX.format("stays")}{{control}}<office:annotation svg:x="1cm" svg:y="1cm">'
            "<dc:creator>A</dc:creator><text:p>REMARK</text:p></office:annotation>"
            f"<presentation:notes>{_BOX.format('NOTE')}</presentation:notes></draw:page>",
        ),
    ],
)
def test_comments_in_sheets_and_slides(tmp_path: Path, application: str, filter_name: str, body: str) -> None:
    """The tools for them are to come; their LibreOffice is this one."""
    control = '<draw:control draw:control="c" svg:width="3cm" svg:height="1cm" svg:x="4cm" svg:y="4cm"/>'
    form = '<form:form form:name="F"><form:checkbox form:id="c" form:label="tick"/></form:form>'
    path = make_odf.flat(tmp_path / "a.xml", body.format(control=control), application)
    path.write_text(path.read_text().replace("<table:shapes>", f"<office:forms>{form}</office:forms><table:shapes>"))
    result = tmp_path / "a.pdf"
    with office.opened(make_office.source_of(path, DOCX)) as document:
        document.store(result, filter_name, ExportNotes=True)
    assert "stays" in look.text_of(result)


def test_a_document_prints_the_name_its_owner_gave_it(tmp_path: Path) -> None:
    both = make_office.field("FILENAME", "old.docx") + make_office.field("FILENAME \\p", "c:\\old.docx")
    ran = convert(make_office.docx(tmp_path / "合同 第2版.docx", both), password=None)
    assert text(ran).count("合同第2版.docx") == 2
    assert str(tmp_path.name) not in text(ran) and "/" not in text(ran)


@pytest.mark.parametrize(
    ("name", "staged"),
    [
        ("合同 v2.docx", "合同 v2.docx"),
        ("../../etc/passwd", ".._.._etc_passwd".strip(".")),
        ("..", "document"),
        ("a\x00b\n.doc", "a_b_.doc"),
        ("x" * 300 + ".docx", "x" * 195 + ".docx"),
    ],
)
def test_staged_names_are_safe(name: str, staged: str) -> None:
    assert staged_name(name) == staged
    assert len(staged_name("纸" * 300 + ".docx").encode()) <= 200


def cut_off(path: Path, whole: Path, keep: float) -> Path:
    """The first part of a package, whose parts stand in `path` in the order of `whole`."""
    data = whole.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    return path


@pytest.mark.parametrize("keep", [0.05, 0.1])
def test_a_cut_off_package_without_its_main_part_is_damaged(tmp_path: Path, keep: float) -> None:
    assert reason(cut_off(tmp_path / "b.docx", make_office.chapters(tmp_path / "a.docx"), keep)) == "damaged_file"


@pytest.mark.parametrize("last", [True, False], ids=["types last", "types first"])
@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx", "odt"])
def test_of_a_cut_off_package_stays_what_is_there(tmp_path: Path, kind: str, last: bool) -> None:
    """Office writes what holds a package together first, LibreOffice and others last: cut off, it has none."""
    whole, held = _PACKAGES[kind](tmp_path / f"a.{kind}"), tmp_path / f"b.{kind}"
    with zipfile.ZipFile(whole) as archive, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as copy:
        loose = [name for name in archive.namelist() if name.endswith(".rels") or name.startswith(("[", "META"))]
        others = [name for name in archive.namelist() if name not in (*loose, "mimetype")]
        order = [*others, *loose] if last else [*loose, *others]
        for name in ["mimetype", *order] if kind == "odt" else order:
            copy.writestr(name, archive.read(name), zipfile.ZIP_STORED if name == "mimetype" else None)
        end = next(each.header_offset for each in copy.infolist() if each.filename == loose[0]) if last else 0
    data = held.read_bytes()
    held.write_bytes(data[: end or data.index(b"PK\x01\x02")])
    tool = {"xlsx": "excel_to_pdf", "pptx": "ppt_to_pdf"}.get(kind, "word_to_pdf")
    ran = run_tool(tool, tmp_path / "run", [held])
    assert "你好" in text(ran)
    assert ran.noted("office_cut") == {"detail": held.name}


@pytest.mark.parametrize("first", ["docProps/app.xml", "xl/worksheets/sheet1.xml", "_rels/.rels"])
def test_a_cut_off_package_is_told_by_its_first_parts(tmp_path: Path, first: str) -> None:
    path = make_office.package(tmp_path / "a.xlsx", {first: b"<x/>" * 500, "xl/styles.xml": bytes(range(256)) * 40})
    path.write_bytes(path.read_bytes()[:-400])
    assert kind_of(path) is XLSX
    assert run_tool("excel_to_pdf", tmp_path / "ran", [path]).problem


def test_a_part_that_breaks_off_is_kept_that_far(tmp_path: Path) -> None:
    lines = tuple(f"第 {number} 段 {number * 7919 % 10007}" for number in range(2000))
    whole = make_office.docx(tmp_path / "a.docx", lines)
    with zipfile.ZipFile(whole) as archive:
        entry = archive.getinfo("word/document.xml")
    path = tmp_path / "b.docx"
    path.write_bytes(whole.read_bytes()[: entry.header_offset + entry.compress_size // 2])
    ran = convert(path)
    assert "第1段" in text(ran) and "第1999段" not in text(ran)
    assert ran.noted("office_cut")


def rewritten(path: Path, parts: dict[str, bytes], last: str) -> Path:
    """The package at `path` with these parts beside or in the stead of its own, cut in half of `last`, behind all."""
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()} | parts
    with zipfile.ZipFile(path, "w") as archive:
        for name in [*(each for each in held if each != last), last]:
            archive.writestr(name, held[name])
        end = archive.getinfo(last).header_offset + 30 + len(last) + len(held[last]) // 2
    path.write_bytes(path.read_bytes()[:end])
    return path


def test_headers_that_are_gone_keep_nothing_shut(tmp_path: Path) -> None:
    """Word writes headers behind the text: LibreOffice opens no document that names one which is not there."""
    path = make_office.headed(tmp_path / "a.docx", "SimSun")
    ran = convert(rewritten(path, {}, "word/header1.xml"))
    assert "body" in text(ran) and ran.noted("office_cut")


def test_a_workbook_within_a_cut_file_is_not_taken_for_it(tmp_path: Path) -> None:
    """Charts carry theirs along, stored: its table is the last one that a cut file has."""
    inner = make_sheets.xlsx(tmp_path / "b.xlsx", make_sheets.Sheet("S", [["inner"]])).read_bytes()
    path = _PACKAGES["pptx"](tmp_path / "a.pptx")
    rewritten(path, {"ppt/embeddings/b.xlsx": inner, "ppt/theme/theme9.xml": b"<x/>" * 50}, "ppt/theme/theme9.xml")
    assert kind_of(path) is PPTX
    ran = run_tool("ppt_to_pdf", tmp_path / "ran", [path])
    assert "你好" in text(ran) and ran.noted("office_cut")


def test_a_package_whose_table_is_broken_is_repaired(tmp_path: Path) -> None:
    path = make_office.chapters(tmp_path / "a.docx")
    path.write_bytes(path.read_bytes().replace(b"PK\x01\x02", b"PK\xff\xff"))
    ran = convert(path)
    assert ran.noted("repaired") == {} and ran.noted("office_cut") is None
    assert text(ran)


def test_numbers_of_texts_that_are_gone_are_not_shown(tmp_path: Path) -> None:
    """Without its table of texts, a cell has nothing but a number that nobody wrote."""
    sheet = b"<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData><row r='1'>"
    sheet += b'<c r="A1" t="s"><v>4711</v></c><c r="B1"><v>815</v></c></row></sheetData></worksheet>'
    path = make_office.package(tmp_path / "a.xlsx", {"xl/worksheets/sheet1.xml": sheet, "docProps/app.xml": b"<x/>"})
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"PK\x01\x02")])
    shown = text(run_tool("excel_to_pdf", tmp_path / "ran", [path]))
    assert "815" in shown and "4711" not in shown


def test_a_container_of_garbage_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(range(256)) * 40)
    assert kind_of(path) is OFFICE_BROKEN
    assert reason(path) == "damaged_file"


def test_other_packages_and_containers_are_told_apart(tmp_path: Path) -> None:
    sheet = make_office.package(tmp_path / "a.docx", {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<x/>"})
    plain = make_office.package(tmp_path / "b.docx", {"readme.txt": b"x"})
    odd = make_office.package(tmp_path / "c.docx", {"[Content_Types].xml": make_office.types_of("/main/body.xml")})
    assert [kind_of(path) for path in (sheet, plain, odd)] == [XLSX, ZIP, DOCX]
    assert reason(sheet) == reason(plain) == "not_supported_type"


@pytest.mark.parametrize("behind", [b"", b"junk" * 999])
@pytest.mark.parametrize("kind", ["docx", "odt", "xlsx", "pptx"])
def test_a_package_with_a_long_comment_behind_it(tmp_path: Path, kind: str, behind: bytes) -> None:
    path = _PACKAGES[kind](tmp_path / f"a.{kind}")
    if not behind:
        with zipfile.ZipFile(path, "a") as archive:
            archive.comment = b"x" * 0xFFFF
    path.write_bytes(path.read_bytes() + behind)
    tool = {"xlsx": "excel_to_pdf", "pptx": "ppt_to_pdf"}.get(kind, "word_to_pdf")
    assert "你好" in text(run_tool(tool, tmp_path / "run", [path]))


def test_bytes_before_a_package_are_refused_as_word_does(tmp_path: Path) -> None:
    path = make_office.docx(tmp_path / "a.docx")
    path.write_bytes(b"\0" * 100 + path.read_bytes())
    assert kind_of(path) is None


def test_stream_names_in_capitals(tmp_path: Path) -> None:
    path = make_doc.loud_doc(tmp_path / "b.doc", doc(tmp_path / "a.doc"))
    assert "你好" in text(convert(path))


def test_a_small_old_document_is_not_called_protected(tmp_path: Path) -> None:
    path = make_doc.mini_doc(tmp_path / "b.doc", doc(tmp_path / "a.doc"))
    source = make_office.source_of(path, DOC)
    assert unlocked(source, tmp_path / "unlocked") is source


def test_the_default_password_is_not_asked_for(tmp_path: Path) -> None:
    origin = make_office.docx(tmp_path / "a.docx", ("机密 secret",))
    path = make_office.locked(tmp_path / "b.docx", origin, "MS Word 2007 XML", "VelvetSweatshop")
    assert kind_of(path) is OOXML_LOCKED
    assert "机密secret" in text(convert(path))


def test_a_locked_binary_document(tmp_path: Path) -> None:
    path = make_office.locked(
        tmp_path / "b.doc", make_office.docx(tmp_path / "a.docx", ("机密 secret",)), "MS Word 97", "pw"
    )
    assert [reason(path), reason(path, "nein")] == ["password_required", "password_wrong"]
    assert "机密secret" in text(convert(path, "pw"))


def test_what_is_locked_is_checked_like_the_rest(tmp_path: Path) -> None:
    origin = make_office.with_picture(tmp_path / "a.docx", make_office.noise_png((200, 200)))
    with zipfile.ZipFile(origin, "a") as archive:
        archive.writestr("word/more.xml", "<!DOCTYPE x><x/>")
    path = make_office.encrypted(tmp_path / "b.docx", origin, "pw")
    assert reason(path, "pw") == "unsafe_content"


def test_a_locked_file_that_is_broken_is_damaged(tmp_path: Path) -> None:
    path = make_office.encrypted(tmp_path / "b.docx", make_office.docx(tmp_path / "a.docx"), "pw")
    path.write_bytes(path.read_bytes().replace(b"<encryption", b"<enkryption"))
    assert reason(path, "pw") == "damaged_file"


def test_pages_flat_files_and_word_2003_are_no_source_text(tmp_path: Path) -> None:
    page, old = tmp_path / "a.doc", tmp_path / "a.xml"
    page.write_bytes('<html><head><meta charset="gbk"></head><body><p>你好 page</p></body></html>'.encode("gbk"))
    old.write_text(_WORD_2003)
    flat = make_odf.flat(tmp_path / "a.fodt", "<text:p>你好 flat</text:p>")
    for path, kind, word in ((page, HTML, "你好page"), (old, WORDML, "你好2003"), (flat, FODT, "你好flat")):
        assert kind_of(path) is kind
        assert text(convert(path)) == word


def test_a_flat_file_with_entities_is_refused(tmp_path: Path) -> None:
    path = make_odf.flat(tmp_path / "a.fodt", "<text:p>x</text:p>")
    path.write_text(path.read_text().replace("<office:document ", '<!DOCTYPE x [<!ENTITY a "b">]><office:document ', 1))
    assert reason(path) == "unsafe_content"


def test_text_about_markup_is_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Use <html> and <b>.")
    assert kind_of(path) is TXT
    path.write_text("<note>一</note>")
    assert "<note>" in text(convert(path))


def test_pages_left_blank_for_the_binder_are_left_out(tmp_path: Path) -> None:
    path = make_office.sections(tmp_path / "a.docx", 3)
    assert [page.strip() for page in look.texts_of(convert(path).path)] == ["section 1", "section 2", "section 3"]
    assert text(convert(path, pages="2-3")) == "section2section3"
    problem = convert(path, pages="4").problem
    assert problem and problem.facts["pages"] == 3


@pytest.mark.parametrize("strict", [False, True])
def test_fonts_of_headers_are_told(tmp_path: Path, strict: bool) -> None:
    told = convert(make_office.headed(tmp_path / "a.docx", "No Such Font", strict)).noted("fonts_substituted")
    assert told and told["detail"].startswith("No Such Font → ")


@pytest.mark.parametrize(
    ("extension", "filter_name"), [("rtf", "Rich Text Format"), ("odt", "writer8"), ("doc", "MS Word 97")]
)
def test_a_font_has_a_name_and_a_stand_in(tmp_path: Path, extension: str, filter_name: str) -> None:
    origin = make_office.docx(tmp_path / "a.docx", make_office.paragraph("x", font="No Such Font"))
    told = convert(make_office.converted(tmp_path / f"b.{extension}", origin, filter_name)).noted("fonts_substituted")
    assert told
    missing, _, used = told["detail"].partition(" → ")
    assert "No Such Font" in missing
    assert "None" not in missing.split(", ")
    assert used


def test_an_arrow_leads_somewhere(tmp_path: Path) -> None:
    path = make_office.docx(tmp_path / "a.docx", make_office.paragraph(" ", font="No Such Font"))
    told = convert(path).noted("fonts_substituted")
    assert told is None or not told["detail"].rstrip().endswith("→")


def test_a_result_without_loss_has_a_receipt(tmp_path: Path) -> None:
    ran = convert(make_office.chapters(tmp_path / "a.docx", 3))
    assert ran.noted("pages_converted") == {"count": 3}
