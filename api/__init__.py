"""The foundation of the JSON interface; its endpoints stand beside their app, and `solaris_site` puts them together."""
