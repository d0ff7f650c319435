"""Translation of IR to Python source: each function of a module becomes one Python function, one line or more an op."""
