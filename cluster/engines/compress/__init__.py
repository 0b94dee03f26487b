"""Making documents smaller: pictures, fonts, streams, within a floor of likeness."""
