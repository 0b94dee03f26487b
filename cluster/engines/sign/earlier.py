"""Who signed a document before, and what their signatures still allow."""

from dataclasses import dataclass
from typing import Any

#: Signatures that are looked at; a receipt names no more.
_MOST = 50
#: Of a certification: nothing more, forms and signatures, comments too. Without one all is allowed.
FINAL, SIGNING, COMMENTS, ANYTHING = 1, 2, 3, 4


@dataclass(frozen=True)
class Earlier:
    """One signature: who, when (empty where it does not say), and whether what it covers is as it was."""

    name: str
    when: str
    intact: bool

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.when)))


def allowed(reader: Any) -> int:
    """What may still be done to the document of a pyHanko reader: the least that any signature of it allows."""
    levels = [_level(each) for each in reader.embedded_signatures[:_MOST]]
    return min([ANYTHING, *levels])


def _level(signature: Any) -> int:
    try:
        level = signature.docmdp_level
    except Exception:  # what a broken signature says of itself binds nobody
        return ANYTHING
    return ANYTHING if level is None else int(level.value)


def earlier(reader: Any) -> list[Earlier]:
    """The signatures of a pyHanko reader, in their order."""
    return [_told(each) for each in reader.embedded_signatures[:_MOST]]


def _told(signature: Any) -> Earlier:
    try:
        name = _name(signature.signer_cert.subject.native)
        when = signature.self_reported_timestamp
        return Earlier(name, when.strftime("%Y-%m-%d") if when else "", _is_intact(signature))
    except Exception:  # of whatever a foreign signature is made, it is told as one that does not hold
        return Earlier("?", "", False)


def _name(subject: Any) -> str:
    return str(subject.get("common_name") or subject.get("organization_name") or "?")[:100]


def _is_intact(signature: Any) -> bool:
    from pyhanko.sign.validation.generic_cms import validate_sig_integrity

    signature.compute_integrity_info(skip_diff=True)
    content = signature.signer_info, signature.signer_cert, "data"
    intact, valid = validate_sig_integrity(*content, signature.compute_digest())
    return bool(intact and valid)
