"""Making IR smaller while something stays true of it."""
