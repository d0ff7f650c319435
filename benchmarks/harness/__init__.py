"""What the rows of the suite share: processes in turns, statistics, the machine's description, tables, a plot."""
