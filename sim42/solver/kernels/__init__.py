"""All compiled code and nothing else: arrays in, arrays out; never raises, never formats."""
