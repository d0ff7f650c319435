"""The methods of `Schedule` by subject, one class a file; each is recorded and leaves the work to a primitive."""
