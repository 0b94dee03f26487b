"""How form fields look, and which of them hold signatures. Uses fonts and pdf.

Decisions:
- pdfium draws looks of fields; those that show more than ASCII are drawn here, with the faces of the font service, in
  pdfium's manner: lines break in fields of many lines, of a free size the largest is taken that fits, a list shows its
  rows from /TI on and dark bars below the chosen ones. A list that is filled shows its choice: /TI moves there.
- A box to tick or a radio button without looks gets two, with the sign and the colours that /MK names; buttons of a
  group are told apart by their places' numbers. Of a password only stars are drawn.
"""
