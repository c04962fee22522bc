"""People who know each other: following, challenges, who is here, and notices."""
