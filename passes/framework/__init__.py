"""The framework of passes: the class of passes, their registry and manager, contexts, instruments and validation."""
