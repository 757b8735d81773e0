"""Template tags of any page; settings name them, since `web` is no app."""
