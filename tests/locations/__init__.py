"""Where errors point, and what debuggers show."""
