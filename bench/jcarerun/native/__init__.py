"""Native programs of the same operations, and what builds them. May import envs."""
