"""Text of pictures through a warm reader. Uses layout and pictures."""
