"""OpenDocument files drawn in code, packed and flat: each function writes `path` and returns it."""

import zipfile
from pathlib import Path


def svg(target: str = "") -> bytes:
    """A vector picture that shows the one at `target`."""
    shown = f'<image width="200" height="200" xlink:href="{target}"/>' if target else ""
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<svg {names} width="200" height="200"><rect width="9" height="9"/>{shown}</svg>'.encode()


def flat(path: Path, body: str, application: str = "text") -> Path:
    """Flat ODF of `body` (ODF markup within office:text, office:spreadsheet, office:presentation)."""
    base = "urn:oasis:names:tc:opendocument:xmlns:"
    names = [
        f'xmlns:{name}="{base}{name}:1.0"' for name in ("office", "text", "table", "style", "presentation", "form")
    ]
    names += [f'xmlns:draw="{base}drawing:1.0"', f'xmlns:svg="{base}svg-compatible:1.0"']
    names += ['xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:dc="http://purl.org/dc/elements/1.1/"']
    kind = f'office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.{application}"'
    head = f'<?xml version="1.0" encoding="UTF-8"?><office:document {" ".join(names)} {kind}>'
    path.write_text(
        f"{head}<office:body><office:{application}>{body}</office:{application}></office:body></office:document>"
    )
    return path


def frame(target: str) -> str:
    """ODF markup for the picture at `target`."""
    size = 'svg:width="5cm" svg:height="5cm" text:anchor-type="as-char"'
    return f'<text:p>before<draw:frame {size}><draw:image xlink:href="{target}"/></draw:frame></text:p>'


def odt(path: Path, body: str, parts: dict[str, bytes] | None = None) -> Path:
    """A packed odt of `body` and other `parts`."""
    content = flat(path, body).read_text().replace("office:document", "office:document-content")
    entry = '<manifest:file-entry manifest:full-path="{}" manifest:media-type="{}"/>'
    mime = "application/vnd.oasis.opendocument.text"
    listed = [("/", mime), ("content.xml", "text/xml"), *((name, "") for name in parts or {})]
    name = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    entries = "".join(entry.format(*each) for each in listed)
    files = {
        "mimetype": mime,
        "content.xml": content,
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{name}">{entries}</manifest:manifest>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (files | (parts or {})).items():
            archive.writestr(name, data)
    return path
