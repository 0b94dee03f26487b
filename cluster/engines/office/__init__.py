"""Office documents through a warm LibreOffice, checked before it sees them."""
