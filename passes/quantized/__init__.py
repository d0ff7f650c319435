"""Parts of the pass integer-products: quantised numbers as operands, and the operators that are computed on them."""
