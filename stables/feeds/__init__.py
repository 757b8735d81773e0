"""What programs outside subscribe to."""
