"""Line-ups: what may be fielded, what stands in for one that is missing, target tokens."""
