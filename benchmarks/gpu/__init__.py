"""The parts of `benchmarks/gpu.py`: rows, the machine they run on, the process of a row, first checks, tables."""
