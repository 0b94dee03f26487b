"""Passwords of documents as ISO 32000-2 prepares them: SASLprep (RFC 4013), then at most 127 bytes of UTF-8.

qpdf takes the bytes it is given: what two keyboards write differently would be two passwords.
"""

import stringprep
from unicodedata import ucd_3_2_0

from pydantic_core import PydanticCustomError

#: Bytes; a reader cuts what is longer, and then another password opens it too.
LONGEST = 127
_FORBIDDEN = (
    stringprep.in_table_c12, stringprep.in_table_c21_c22, stringprep.in_table_c3, stringprep.in_table_c4,
    stringprep.in_table_c5, stringprep.in_table_c6, stringprep.in_table_c7, stringprep.in_table_c8,
    stringprep.in_table_c9,
)  # fmt: skip


def prepared(text: str) -> str:
    """`text` as it locks and opens a document; characters younger than Unicode 3.2, such as emoji, stay as they are.

    Raises a validation error for what cannot be in a password: controls, mixed directions, too many bytes.
    """
    mapped = (" " if stringprep.in_table_c12(each) else each for each in text if not stringprep.in_table_b1(each))
    found = ucd_3_2_0.normalize("NFKC", "".join(mapped))
    if any(forbidden(each) for each in found for forbidden in _FORBIDDEN) or _mixes_directions(found):
        raise PydanticCustomError("password_characters", "characters that a password cannot have")
    if len(found.encode()) > LONGEST:
        raise PydanticCustomError("password_too_long", "more than 127 bytes")
    if text and not found:
        raise PydanticCustomError("password_characters", "nothing is left of it")
    return found


def _mixes_directions(text: str) -> bool:
    """RFC 3454, 6: with a letter that runs to the left, none runs to the right, and such letters stand at both ends."""
    left = [stringprep.in_table_d1(each) for each in text]
    return any(left) and (any(map(stringprep.in_table_d2, text)) or not (left[0] and left[-1]))
