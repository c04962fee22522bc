"""The full screen: pages and dialogs of the Textual app."""
