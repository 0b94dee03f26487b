"""The output gate: success codes lie, so every result is opened again, by a second library where there is one."""

from collections.abc import Callable, Mapping
from typing import Any

from cluster.kinds import JP2, PICTURES, kind_of
from cluster.problem import FaultProblem
from cluster.tool import Output

#: Pages read in search of the text that was promised.
_TEXT_PAGES = 20


def check_outputs(
    outputs: list[Output], passwords: list[str], locks: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Size, content type, and pages of each output. Raises FaultProblem on the first that does not hold.

    `passwords` are those of the inputs: one that comes back unchanged keeps its own.
    `locks` are those of the options that outputs name: such a result opens with its own, and not without.
    """
    if not outputs:
        raise FaultProblem("the tool made no output")
    return [_check(output, _keys(output, passwords, locks or {})) for output in outputs]


def _keys(output: Output, passwords: list[str], locks: Mapping[str, str]) -> list[str | None]:
    """What a result is opened with: none, or one of the inputs'; a locked one only with its own."""
    return [locks[output.password]] if output.password else [None, *passwords]


def _check(output: Output, keys: list[str | None]) -> dict[str, Any]:
    if not output.path.is_file() or output.path.stat().st_size == 0:
        raise FaultProblem(f"output {output.path.name} is missing or empty")
    found = kind_of(output.path)
    plain_text = output.kind.mime.startswith(("text/", "application/json"))
    if found is not output.kind and not plain_text:
        raise FaultProblem(f"output {output.path.name} is {found and found.key}, not {output.kind.key}")
    look = _LOOKS.get(output.kind.key)
    return {"size": output.path.stat().st_size, "pages": look(output, keys) if look else None}


def _pdf(output: Output, keys: list[str | None]) -> int:
    if output.password and _opened(output, [None]):
        raise FaultProblem("the result opens without its password")
    document = _opened(output, keys)
    if document is None:
        raise FaultProblem(f"a second library cannot open {output.path.name}")
    try:
        count = len(document)
        if count == 0 or (output.pages is not None and output.pages != count):
            raise FaultProblem(f"the result has {count} pages, not {output.pages}")
        if output.text and not any(_has_text(document[page]) for page in range(min(count, _TEXT_PAGES))):
            raise FaultProblem("the result has lost its text")
        return count
    finally:
        document.close()


def _opened(output: Output, keys: list[str | None]) -> Any:
    """The document; None where no key opens it."""
    import pypdfium2

    for password in keys:
        try:
            return pypdfium2.PdfDocument(output.path, password=password)
        except pypdfium2.PdfiumError:
            continue
    return None


def _has_text(page: Any) -> bool:
    return bool(page.get_textpage().get_text_range().strip())


def _picture(output: Output, _: list[str | None]) -> None:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # only its header is read; a picture taken out of a PDF may be of any size
    with Image.open(output.path) as picture:
        if min(picture.size) < 1:
            raise FaultProblem("the picture is empty")


def _archive(output: Output, _: list[str | None]) -> None:
    import zipfile

    with zipfile.ZipFile(output.path) as archive:
        if not archive.namelist():
            raise FaultProblem("the archive is empty")


_LOOKS: dict[str, Callable[[Output, list[str | None]], int | None]] = {
    "pdf": _pdf,
    **{kind.key: _picture for kind in (*PICTURES, JP2)},
    **dict.fromkeys(("docx", "xlsx", "pptx", "zip"), _archive),
}
