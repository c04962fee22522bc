"""The browser's shell: its pages, modules, words and fonts, and how they are served. Knows no game."""
