"""Display of programs in notebooks and on web pages: highlighted, with functions that can be folded."""
