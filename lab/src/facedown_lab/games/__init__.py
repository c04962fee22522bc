"""What only the laboratory has of each game: its batch form, its attackers, its training, its pictures."""
