"""Pages as pixels: drawn strip by strip, compared, blank ones found. Uses pdf and pictures."""
