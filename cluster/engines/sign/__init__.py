"""Certificate signatures: keys, who signed before, what is only added. Uses fonts, forms, marks and pdf.

Decisions:
- PAdES baseline: B-B, and B-T where the operator names a time-stamp server; does that server not answer, the signature
  is made without its word and the receipt says so.
- On a document that is signed already nothing is rewritten: drawings come as stamp annotations of an incremental
  update. A certification that forbids them is a Problem, and where it allows signing only, the new signature is
  invisible, because readers take a visible field for a change of the document.
- An expired certificate is refused: every reader would call its signature invalid.
- An incremental update keeps the document's lock; only what is rewritten loses it.
"""
