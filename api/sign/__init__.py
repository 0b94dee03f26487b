"""Signatures beside the tool sign: pads on phones, and what accounts keep for next time.

Decisions:
- A pad answers only the browser that asked for it, and takes strokes from the first phone that opens it; it lives five
  minutes and tells the finished drawing once.
- A kept signature is sealed for its account and goes with it; the pictures among them are small PNGs without paper.
"""
