"""What leads out of an office file is cut before LibreOffice reads it; the sandbox's mounts are only the second wall.

The picture that each file asks for lies where these tests' LibreOffice, which is in no sandbox, could read it.
"""

import base64
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from cluster.engines.office.fields import cut_doc
from tests import look, make_doc, make_odf, make_office
from tests.running import run_tool

pytestmark = pytest.mark.usefixtures("office_engine")
_LOUD = (255, 0, 255)
_HTML = (
    '<html><head><link rel="stylesheet" href="{0}"><style>p {{background: url({0})}}</style></head>'
    '<body background="{0}" style="background:u\\72l({0})">before<img src="{0}"><p>after</p></body></html>'
)


def _nested(target: str) -> bytes:
    return make_odf.svg(f"data:image/svg+xml;base64,{base64.b64encode(make_odf.svg(target)).decode()}")


def _odt(name: str, data: bytes) -> Callable[[Path], Path]:
    return lambda path: make_odf.odt(path, make_odf.frame(f"Pictures/{name}"), {f"Pictures/{name}": data})


def _hex(data: bytes) -> str:
    return "{\\pict\\pngblip\\picwgoal3000\\pichgoal3000 " + data.hex() + "}"


def _field(instruction: str) -> str:
    return "{\\field{\\*\\fldinst " + instruction + "}{\\fldrslt shown}}"


def _written(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


#: name -> what draws a file that wants the picture at an address.
_FILES: dict[str, Callable[[str], Callable[[Path], object]]] = {
    "linked.docx": lambda at: lambda path: make_office.linked_picture(path, at),
    "svg.docx": lambda at: lambda path: make_office.with_picture(path, make_odf.svg(at)),
    "field.docx": lambda at: lambda path: make_office.docx(path, make_office.field(f'INCLUDEPICTURE "{at}" \\d')),
    "image.odt": lambda at: lambda path: make_odf.odt(path, make_odf.frame(at)),
    "svg.odt": lambda at: _odt("a.svg", make_odf.svg(at)),
    "disguised.odt": lambda at: _odt("a.png", make_odf.svg(at)),
    "packed.odt": lambda at: _odt("a.png", gzip.compress(make_odf.svg(at))),
    "nested.odt": lambda at: _odt("a.svg", _nested(at)),
    "flat.fodt": lambda at: lambda path: make_odf.flat(path, make_odf.frame(at)),
    "field.rtf": lambda at: lambda path: make_office.rtf(path, _field(f'{{ INCLUDEPICTURE "{at}" \\\\d}}')),
    "plain.rtf": lambda at: lambda path: make_office.rtf(path, _field(f'INCLUDEPICTURE "{at[7:]}" \\\\d')),
    "spelt.rtf": lambda at: lambda path: make_office.rtf(path, _field(f'{{\\b \\\'49N}}{{CLUDEPICTURE}} "{at}" \\\\d')),
    "svg.rtf": lambda at: lambda path: make_office.rtf(path, _hex(make_odf.svg(at))),
    "page.html": lambda at: _written(_HTML.format(at)),
    "page.doc": lambda at: _written(_HTML.format(at)),
}


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A loud picture that no document holds."""
    path = tmp_path / "loud.png"
    Image.new("RGB", (200, 200), _LOUD).save(path)
    return path


@pytest.mark.parametrize("name", _FILES)
def test_no_picture_comes_from_outside(tmp_path: Path, picture: Path, name: str) -> None:
    path = tmp_path / name
    _FILES[name](picture.as_uri())(path)
    ran = run_tool("word_to_pdf", tmp_path / "run", [path])
    assert not _is_loud(ran.path)
    assert ran.noted("remote_blocked") is not None


def test_no_picture_comes_into_a_binary_document(tmp_path: Path, picture: Path) -> None:
    origin = make_doc.linking(tmp_path / "a.docx")
    plain = make_office.converted(tmp_path / "b.doc", origin, "MS Word 97")
    path = make_doc.including_doc(tmp_path / "c.doc", plain, picture.as_uri())
    ran = run_tool("word_to_pdf", tmp_path / "run", [path])
    assert not _is_loud(ran.path)
    assert ran.noted("remote_blocked") is not None


def test_no_picture_comes_in_by_a_field_whose_word_lies_in_pieces(tmp_path: Path, picture: Path) -> None:
    origin = make_doc.linking(tmp_path / "a.docx")
    plain = make_office.converted(tmp_path / "b.doc", origin, "MS Word 97")
    whole = make_doc.including_doc(tmp_path / "c.doc", plain, picture.as_uri())
    path = make_doc.in_pieces(tmp_path / "d.doc", whole)
    assert "INCLUDEPICTURE".encode("utf-16-le") not in path.read_bytes() and b"INCLUDEPICTURE" not in path.read_bytes()
    made, count = cut_doc(path.read_bytes())
    assert count == 1 and picture.name.encode("utf-16-le") not in made and len(made) == path.stat().st_size
    ran = run_tool("word_to_pdf", tmp_path / "run", [path])
    assert not _is_loud(ran.path)
    assert ran.noted("remote_blocked") is not None


def test_what_a_file_holds_itself_is_shown(tmp_path: Path, picture: Path) -> None:
    """The same pictures inside: nothing is cut, and nothing told."""
    shown = f"data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()}"
    files = (
        make_office.with_picture(tmp_path / "a.docx", picture.read_bytes()),
        make_odf.odt(tmp_path / "a.odt", make_odf.frame("Pictures/a.png"), {"Pictures/a.png": picture.read_bytes()}),
        make_odf.odt(tmp_path / "b.odt", make_odf.frame("Pictures/a.svg"), {"Pictures/a.svg": make_odf.svg(shown)}),
        make_office.rtf(tmp_path / "a.rtf", _hex(picture.read_bytes())),
    )
    for path in files:
        ran = run_tool("word_to_pdf", tmp_path / f"run-{path.name}", [path])
        assert _is_loud(ran.path), path.name
        assert ran.noted("remote_blocked") is None


def test_links_to_click_stay(tmp_path: Path) -> None:
    linked = '<text:p><text:a xlink:href="https://a.example/x">click</text:a></text:p>'
    page = tmp_path / "a.html"
    page.write_text('<html><body><a href="https://a.example/x">click</a></body></html>')
    for path in (make_odf.odt(tmp_path / "a.odt", linked), make_odf.flat(tmp_path / "a.fodt", linked), page):
        ran = run_tool("word_to_pdf", tmp_path / f"run-{path.name}", [path])
        assert "https://a.example/x" in [link.uri for link in look.links_of(ran.path)], path.name
        assert ran.noted("remote_blocked") is None


def _is_loud(path: Path) -> bool:
    """Whether the first page shows the picture's colour."""
    return any(colour == _LOUD for _, colour in look.render(path).convert("RGB").getcolors(1 << 24) or ())
