"""Pictures as files: opened within bounds, streamed by rows, encoded, compared. Uses layout and pdf.

Decisions:
- A picture of 16 bits a sample is taken out of a PDF as a PNG of 16 bits; with a mask, or in another colour space than
  grey or RGB, it has 8, as readers show it.
"""
