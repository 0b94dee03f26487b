"""Things placed on pages as they are seen: place, overlay, artwork. Uses fonts and pdf."""
