"""WebSockets: handshake, connections and the protocol session on each."""
