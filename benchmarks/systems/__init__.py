"""Set-up of each system for a row. A module here is imported in the worker of its own system alone.

Where a system can write into an array that it is given, it does; the array and the inputs start at a cache line.
"""
