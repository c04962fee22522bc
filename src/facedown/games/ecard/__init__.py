"""E-Card: Emperor, Citizen, Slave. Two seats, three cards, and the question when to play the special one."""
