"""The font service: faces with per-glyph fallback, subset and embedded. Uses pdf.

Decisions:
- One font service for all tools: per-glyph fallback from Noto CJK SC, subset by HarfBuzz; a glyph that no font has
  is an error that names it. No right-to-left shaping yet.
- A font that leaves its PDF for an Office file takes outlines and widths alone along, as TrueType: no hinting, layout
  or names of a stranger's reach the user's programs. A program that says nothing of rights may go, as it went into the
  PDF.
"""
