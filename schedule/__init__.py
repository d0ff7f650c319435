"""The scheduling engine: legal loop transformations, one primitive at a time."""
