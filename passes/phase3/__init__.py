"""Phase 3: clean-up and intrinsic lowering."""
