"""Commands that write folders of static files for any web host: the documentation, and the games."""
