"""How form fields look, and which of them hold signatures. Uses fonts and pdf."""
