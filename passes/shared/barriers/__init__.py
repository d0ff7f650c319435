"""Races of the threads of a block, and the barriers that order their accesses."""
