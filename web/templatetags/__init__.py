"""Template tags for any page. The settings name them, because `web` is not an app."""
