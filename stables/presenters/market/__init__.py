"""What market and garage show: offers, assets, advice."""
