"""Davenport: get rid of your cards by winning rounds, highest card first. Two to seven seats."""
