"""Loop nests of operators that no tensor expression describes, imported when such an operator is lowered."""
