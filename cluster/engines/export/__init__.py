"""Writing what was recognised into other formats."""
