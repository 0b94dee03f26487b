"""Reading documents: a page of a PDF as a `layout.model.Sheet`, from its own text or from pictures of it.

`preflight` says which of the two a page needs, `digital` reads its text, `scanned` asks the OCR engine.
"""
