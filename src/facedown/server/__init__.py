"""Tables online: people, tables, sockets and what keeps them; the only part that knows the network."""
