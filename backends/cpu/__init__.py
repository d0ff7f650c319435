"""The CPU backend: loop IR to LLVM text to machine code through llvmlite."""
