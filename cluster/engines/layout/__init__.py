"""Lines of text on a page: gutters, columns, reading order. Knows no PDF and no OCR engine."""
