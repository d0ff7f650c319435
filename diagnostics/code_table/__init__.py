"""The error codes, a table for each range."""
