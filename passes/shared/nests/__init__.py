"""What `lower-te` makes: a nest for each compute, and the sizes that it is called with."""
