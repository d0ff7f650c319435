"""What the conversions of upstream MLIR share: index expressions, extents, sizes, scalar bodies."""
