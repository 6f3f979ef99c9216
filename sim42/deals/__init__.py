"""Seeds, and the random deals and hands that follow from them."""
