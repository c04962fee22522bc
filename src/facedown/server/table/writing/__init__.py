"""How the changes of a table are run, saved and sent, here and at other servers on the same store."""
