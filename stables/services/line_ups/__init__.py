"""Line-ups: handed in, saved, sealed, and the match made from them."""
