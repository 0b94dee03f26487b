"""Word merge: what each document has is in the one that comes out, and looks as it did alone."""

import re
import zipfile
from pathlib import Path

import pytest

from tests import look, make_book, make_office
from tests.make_office import OFFICE, docx, paragraph
from tests.running import Ran, run_tool
from tests.valid import faults

pytestmark = pytest.mark.usefixtures("office_engine")
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_STYLE = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>{}</w:style>'
_LARGE = '<w:rPr><w:sz w:val="40"/></w:rPr>'
_LIST = (
    f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:nsid w:val="1234ABCD"/><w:lvl w:ilvl="0">'
    '<w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Nr%1"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)


def merge(*files: Path, passwords: dict[int, str] | None = None, **options: object) -> Ran:
    folder = files[0].parent / f"run{len(list(files[0].parent.iterdir()))}"
    return run_tool("word_merge", folder, list(files), passwords=passwords, **options)


def pdf(path: Path) -> Path:
    folder = path.parent / f"pdf{len(list(path.parent.iterdir()))}"
    return run_tool("word_to_pdf", folder, [path]).path


def pages(path: Path) -> list[str]:
    return ["".join(text.split()) for text in look.texts_of(pdf(path))]


def part(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def headed(path: Path, header: str, width: int, text: str, facing: bool = False) -> Path:
    """A page `width` twips wide with a header; `facing` says that left pages have one of their own."""
    kinds = {"default": header, **({"even": f"{header} left"} if facing else {})}
    relations = "".join(f'<Relationship Id="{n}" Type="{OFFICE}/header" Target="{n}.xml"/>' for n in kinds)
    parts = {f"word/{n}.xml": f"<w:hdr {_W}>{paragraph(words)}</w:hdr>".encode() for n, words in kinds.items()}
    if facing:
        relations += f'<Relationship Id="s" Type="{OFFICE}/settings" Target="settings.xml"/>'
        parts["word/settings.xml"] = f"<w:settings {_W}><w:evenAndOddHeaders/></w:settings>".encode()
    named = "".join(f'<w:headerReference w:type="{n}" r:id="{n}"/>' for n in kinds)
    section = f'<w:sectPr>{named}<w:pgSz w:w="{width}" w:h="12000"/></w:sectPr>'
    return docx(path, paragraph(text) + section, relations=relations, parts=parts)


def listed(path: Path) -> Path:
    item = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>'
    )
    relation = f'<Relationship Id="n" Type="{OFFICE}/numbering" Target="numbering.xml"/>'
    return docx(path, item * 2, relations=relation, parts={"word/numbering.xml": _LIST.encode()})


def noted(path: Path) -> Path:
    """Two texts, each with a footnote."""
    body = "".join(
        f'<w:p><w:r><w:t>text{n}</w:t></w:r><w:r><w:footnoteReference w:id="{n}"/></w:r></w:p>' for n in (1, 2)
    )
    notes = "".join(f'<w:footnote w:id="{n}">{paragraph(f"BELOW{n}")}</w:footnote>' for n in (1, 2))
    relation = f'<Relationship Id="f" Type="{OFFICE}/footnotes" Target="footnotes.xml"/>'
    parts = {"word/footnotes.xml": f"<w:footnotes {_W}>{notes}</w:footnotes>".encode()}
    return docx(path, body, relations=relation, parts=parts)


def styled(path: Path, look_of_normal: str, text: str) -> Path:
    styles = f"<w:styles {_W}>{_STYLE.format(look_of_normal)}</w:styles>"
    return docx(path, [text], parts={"word/styles.xml": styles.encode()})


def test_every_page_looks_as_it_did_alone(tmp_path: Path) -> None:
    files = [
        make_office.chapters(tmp_path / "a.docx", 2),
        make_office.commented(tmp_path / "b.docx"),
        make_office.tracked(tmp_path / "c.docx"),
        headed(tmp_path / "d.docx", "HEAD", 9000, "words"),
        make_office.with_picture(tmp_path / "e.docx", make_office.noise_png((300, 300))),
        styled(tmp_path / "f.docx", _LARGE, "large"),
        listed(tmp_path / "g.docx"),
    ]
    ran = merge(*files)
    assert ran.noted("documents_merged") == {"count": len(files)}
    assert ran.outputs[0].name == "a_合并.docx"
    made, alone = pdf(ran.path), [pdf(path) for path in files]
    counts = [look.page_count(each) for each in alone]
    assert look.page_count(made) == sum(counts)
    first = 0
    for path, own, count in zip(files, alone, counts, strict=True):
        for page in range(1, count + 1):
            assert look.looks_like(own, made, page, first + page) >= 0.98, path.name
        first += count
    assert [each.title for each in look.outline_of(made)][:2] == ["第1章", "Section 1"]


def test_notes_comments_and_changes_come_along_twice(tmp_path: Path) -> None:
    notes = merge(noted(tmp_path / "n.docx"), noted(tmp_path / "m.docx")).path
    assert pages(notes) == ["text11text221BELOW12BELOW2", "text13text243BELOW14BELOW2"]
    twins = [make_office.commented(tmp_path / "a.docx"), make_office.commented(tmp_path / "b.docx")]
    made = merge(*twins, make_office.tracked(tmp_path / "c.docx")).path
    assert [note for _, note in look.notes_of(pdf(made)) if "REMARK" in note] == ["REMARK"] * 2
    ids = re.findall(r'<w:(?:ins|del)\b[^>]*w:id="(\d+)"', part(made, "word/document.xml"))
    assert len(set(ids)) == len(ids) == 2


def test_headers_and_paper_are_each_ones_own_or_the_firsts(tmp_path: Path) -> None:
    files = [headed(tmp_path / "a.docx", "ONE", 9000, "first"), headed(tmp_path / "b.docx", "TWO", 12000, "second")]
    plain = make_office.docx(tmp_path / "c.docx", ("third",))
    made = merge(*files, plain).path
    assert pages(made) == ["ONEfirst", "TWOsecond", "third"]
    assert [width for width, _ in look.sizes_of(pdf(made))][:2] == [450, 600]
    for join in ("section", "page"):
        same = merge(*files, plain, setup="first", join=join).path
        assert pages(same) == ["ONEfirst", "ONEsecond", "ONEthird"]
        assert {width for width, _ in look.sizes_of(pdf(same))} == {450}
    assert pages(merge(*files, setup="first", join="continuous").path) == ["ONEfirstsecond"]


def test_left_pages_keep_their_headers(tmp_path: Path) -> None:
    plain = headed(tmp_path / "a.docx", "ONE", 9000, "first")
    files = [plain, headed(tmp_path / "b.docx", "TWO", 9000, "second", facing=True)]
    made = merge(*files, headed(tmp_path / "c.docx", "THREE", 9000, "third"), numbering="continue").path
    assert pages(made) == ["ONEfirst", "TWOleftsecond", "THREEthird"]


def test_lists_begin_anew_or_go_on(tmp_path: Path) -> None:
    files = [listed(tmp_path / "a.docx"), listed(tmp_path / "b.docx")]
    assert pages(merge(*files).path) == ["Nr1itemNr2item"] * 2
    assert pages(merge(*files, numbering="continue").path) == ["Nr1itemNr2item", "Nr3itemNr4item"]


def test_bookmarks_of_one_name_lead_each_to_its_own(tmp_path: Path) -> None:
    mark = '<w:p><w:bookmarkStart w:id="0" w:name="M"/><w:r><w:t>{}</w:t></w:r><w:bookmarkEnd w:id="0"/></w:p>'
    files = [docx(tmp_path / f"{n}.docx", mark.format(n) + make_office.field("REF M \\h", n)) for n in ("a", "b")]
    text = part(merge(*files).path, "word/document.xml")
    assert re.findall(r'w:name="(M\w*)"', text) == ["M", "M_2"]
    assert re.findall(r"REF (\w+)", text) == ["M", "M_2"]


def test_other_formats_names_and_headings(tmp_path: Path) -> None:
    origin = make_office.docx(tmp_path / "x.docx", ("words",))
    files = [
        make_office.converted(tmp_path / "附件10.odt", origin, "writer8"),
        make_office.converted(tmp_path / "附件2.doc", origin, "MS Word 97"),
    ]
    ran = merge(*files, order="name", headings=True)
    assert pages(ran.path) == ["附件2words", "附件10words"]
    assert [entry.title for entry in look.outline_of(pdf(ran.path))] == ["附件2", "附件10"]
    assert ran.noted("document_converted") == {"detail": "附件2.doc"}
    body = part(ran.path, "word/document.xml")
    assert re.findall(r'<w:lang w:eastAsia="zh-CN"/></w:rPr><w:t[^>]*>(\w+)', body) == ["附件2", "附件10"]


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    good, bad = make_office.docx(tmp_path / "a.docx"), make_office.entity(tmp_path / "坏.docx")
    problem = merge(good, bad).problem
    assert problem and problem.reason == "unsafe_content" and problem.facts["file"] == "坏.docx"
    locked = make_office.encrypted(
        tmp_path / "锁.docx", make_office.with_picture(tmp_path / "p.docx", make_office.noise_png((99, 99))), "pw"
    )
    asked = merge(good, locked).problem
    assert asked and asked.reason == "password_required" and asked.facts["index"] == 1
    assert merge(good, locked, passwords={1: "pw"}).problem is None


def test_a_page_of_contents_shows_the_pages_and_holds_to_the_schemas(tmp_path: Path) -> None:
    files = [make_office.chapters(tmp_path / "a.docx", 2), noted(tmp_path / "没有标题.docx")]
    made = merge(*files, contents=True, numbering="continue")
    first, *rest = pages(made.path)
    wanted = {"第1章": 2, "Section1": 2, "第2章": 3, "Section2": 3, "没有标题": 4}
    assert re.findall(r"(\w+?)\.{5,}(\d)", first.removeprefix("目录")) == [
        (words, str(page)) for words, page in wanted.items()
    ]
    assert all(words in rest[page - 2] for words, page in wanted.items())
    body = part(made.path, "word/document.xml")
    shown = re.findall(r"PAGEREF (_Toc\d+).*?<w:t[^>]*>(\d+)</w:t>", body)
    assert [int(number) for _, number in shown] == list(wanted.values())
    assert all(f'w:name="{name}"' in body for name, _ in shown) and "TOC \\o" in body
    assert made.noted("contents_made") == {"count": 5}
    assert faults(made.path) == []


def test_notes_and_left_pages_hold_to_the_schemas(tmp_path: Path) -> None:
    book = run_tool("pdf_to_word", tmp_path / "book", [make_book.book(tmp_path / "book.pdf")]).path
    made = merge(book, headed(tmp_path / "b.docx", "H", 9000, "text", facing=True))
    assert faults(made.path) == []
    other = merge(headed(tmp_path / "c.docx", "H", 9000, "text"), book)
    assert faults(other.path) == []
