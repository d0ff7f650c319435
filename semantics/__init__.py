"""Reference semantics: what every op means, on numpy."""
