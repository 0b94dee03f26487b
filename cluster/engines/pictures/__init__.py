"""Pictures as files: opened within bounds, streamed by rows, encoded, compared."""
