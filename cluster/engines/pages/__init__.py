"""Taking pages out of documents and putting documents together, with all that belongs to them.

Decisions:
- Merge only reads through qpdf and streams the objects out itself: no peer kept 1 GB of pictures out of memory.
- Split reads and writes PDF objects itself, so a part holds nothing that its pages do not use.
- Destinations that name a page by its position are followed, as readers do, and rewritten to the page itself.
- Parts carry XMP only where /Info has no title or author: it tells of the whole document. A press profile over 16
  KB stays behind where its registry name tells it; small profiles stay.
- Pruning stops where any content does not decode: a part too large is better than one that lost a picture.
"""
