"""What the API offers: one short module for each kind of call, each with its declared `ENDPOINTS`."""
