"""Loop IR to LLVM text, one to one.

Every decision stands in the loop IR: what is vectorised, unrolled, masked, kept in registers, run in
parallel. The emitter expands it mechanically. Each operation is *prepared* once, into a function that writes
its instructions, and that function runs once per expansion, so unrolled loops cost only their text.
"""
