"""The review as one HTML file."""
