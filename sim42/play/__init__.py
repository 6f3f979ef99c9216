"""Players who see only their own hand, and the tables at which they meet."""
