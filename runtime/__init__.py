"""What a compiled program needs to run. Imports no xdsl."""
