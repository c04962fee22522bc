"""Drawing a table as lines of coloured text: pure functions, no terminal needed."""
