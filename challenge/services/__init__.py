"""All that writes events, each under the lock of its event."""
