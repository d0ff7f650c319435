"""Questions about IR: integer sets, accesses, dependences, dominance. Nothing here changes IR."""
