"""IR as Python text: each function of a module becomes one Python function that follows it op by op."""
