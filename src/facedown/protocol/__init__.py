"""The wire protocol, shared by server and client: socket messages, REST types, and the bytes of views."""
