"""Which part of a buffer each thread has."""
