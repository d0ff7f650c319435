"""Valid inputs of every kind, damaged at random: each ends in a result or in one error."""
