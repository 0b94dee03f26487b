"""How form fields look."""
