"""The wire protocol, shared by server and client: WebSocket messages, REST types, errors, view encoding."""
