"""Whether an Office file holds to Microsoft's schemas: element order, values, references, relations."""

from pathlib import Path

#: Parts that Word writes always, and no standard asks for.
_NOT_ASKED = "A required relationship type"


def faults(path: Path) -> list[str]:
    """What is wrong with a docx, xlsx or pptx; empty where Office would open it without repair."""
    from openxml_audit import OpenXmlValidator

    found = OpenXmlValidator().validate(str(path)).errors
    return [f"{each.part_uri}: {each.description}" for each in found if not each.description.startswith(_NOT_ASKED)]
