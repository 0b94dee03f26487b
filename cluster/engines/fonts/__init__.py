"""The font service: faces with per-glyph fallback, subset and embedded. Uses pdf.

Decisions:
- One font service for all tools: per-glyph fallback from Noto CJK SC, subset by HarfBuzz; a glyph that no font has
  is an error that names it. No right-to-left shaping yet.
"""
