"""The font service: faces with per-glyph fallback, subset and embedded."""
