"""What every row of the suite shares: worker processes in turns, statistics, the machine's description, tables, a plot."""
