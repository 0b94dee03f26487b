"""Whether an Office file holds to Microsoft's schemas: element order, values, references, relations."""

from pathlib import Path


def faults(path: Path) -> list[str]:
    """What is wrong with a docx, xlsx or pptx; empty where Office would open it without repair."""
    from openxml_audit import OpenXmlValidator

    return [f"{each.part_uri}: {each.description}" for each in OpenXmlValidator().validate(str(path)).errors]
