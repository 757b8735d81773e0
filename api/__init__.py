"""The foundation of the JSON interface. The endpoints are in their apps, and `solaris_site` puts them together."""
