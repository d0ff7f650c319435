"""What `plan-memory` decides: which buffers share an arena, and which parts are made in place."""
