"""Phase 0: graph to te to loop, then the schedule."""
