"""Line mode: a table spoken line by line, for screen readers and pipes."""
