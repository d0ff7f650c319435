"""Common parts of the conversions of upstream MLIR: index expressions, extents, sizes, scalar bodies."""
