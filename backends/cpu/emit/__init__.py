"""Loop IR to LLVM text, operation by operation.

Every decision is explicit in the loop IR: vectorized, unrolled, parallel and masked statements, and buffers in
registers. The emitter takes no decisions. Each operation is *prepared* once, into a function that writes its
instructions, and that function runs once per expansion, so unrolled loops cost only their text.
"""
