"""Phase 1: storage. Blocks gone, allocations placed, layouts fixed."""
