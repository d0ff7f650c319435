"""The harness of the suite: processes in turns, statistics, the machine's description, tables, a plot."""
