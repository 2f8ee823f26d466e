"""Back ends that each derive something runnable from a recorded rules model."""
