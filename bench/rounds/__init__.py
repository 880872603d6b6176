"""What a round is: which files it has, and how a tree that others wrote is read."""
