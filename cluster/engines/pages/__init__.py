"""Taking pages out of documents and putting documents together, with all that belongs to them."""
