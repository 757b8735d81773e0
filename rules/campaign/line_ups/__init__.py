"""Line-ups: what a stable may field, the line-up of a stable that hands in none, and target tokens."""
