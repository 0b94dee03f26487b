"""The tools as the wire shows them: lists, names, options' schemas; open to everybody."""
