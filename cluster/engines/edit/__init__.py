"""Changing what stands on pages: lines of text, what lies beneath a place, fields, things added.
Uses fonts, forms, marks and pdf.

Decisions:
- One reading of a page's content (`scene`) serves changing and removing: what is not touched stays byte for byte what
  it was, and a form, picture or resource that other pages share is copied before it is changed.
- A letter goes when a removed place touches its body, not the air around it: neighbours on the line and lines above
  and below stay. A path is cut; of a picture the touched pixels go; a comment or field that is touched goes whole.
- What stays of a path keeps its own numbers and is painted below a clip that leaves the places out, so that every
  reader draws it as before; a curve, or an area's side, that only passes through tells nothing but what is seen
  beside. A hidden edge of a rectangle moves to the place's edge, a hidden outline of a clip into the place.
- Soft masks are cleared as content is, and cells of tiling patterns where no whole cell is seen beside the place; of a
  mesh the triangles and patches go that lie in the place. One whose data readers read differently is refused.
- After removal another library (MuPDF) reads and draws the result: were there a letter or any ink left in the places,
  the tool would refuse rather than deliver it. JBIG2 that MuPDF and pdfium show differently is refused, too.
- A picture, form or pattern that was cut is copied; the old one is emptied unless something in the document draws it
  still: the names in resources and tags that lead to it stay.
- Removed letters go from the fonts too (outlines, widths, ToUnicode, names), where nothing in the document shows them
  any more. A whole font that form fields are typed with stays as it is; where a font cannot be cut without a change
  of what stays, it stays too and the receipt names it.
- A changed line keeps font, size, colour and matrix; letters that its font cannot be shown to have come from the
  nearest face of the font service, and the receipt names them. What follows stays where it is unless reflow is asked.
- A font embedded in the document is only asked for letters that the document draws with it or whose glyph its own
  ToUnicode names: subsets have no others.
"""
