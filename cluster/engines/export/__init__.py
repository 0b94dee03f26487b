"""Writers: what was read, as a file. One module a format (word_flow, word_exact, workbook, table_text, searchable).

Decisions:
- Word that flows has exact line heights, and a page break where a paragraph begins a page of the PDF, so that it
  looks like the page until it is edited; it holds no frames and no text boxes.
- Word like the page has a framed paragraph for each line, and behind it a picture of all that is no text.
- A cell becomes a number or a date only when that is sure: leading zeros, more than 15 digits and dates whose order of
  day and month is unknown stay text; nothing becomes a formula.
- In csv, text that a spreadsheet would take for a formula gets an apostrophe.
"""
