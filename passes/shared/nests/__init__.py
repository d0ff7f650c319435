"""Lowering of tensor expressions: a loop nest for each compute, regions, and symbolic sizes."""
