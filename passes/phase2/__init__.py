"""Phase 2: loops. Partition, vectorize, unroll."""
