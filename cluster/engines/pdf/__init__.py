"""PDF as objects: syntax, cross-reference, reading, writing, pages, what content uses. Uses run."""
