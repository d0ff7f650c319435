"""Programs as notebooks and web pages show them: coloured, and each function folded or open."""
