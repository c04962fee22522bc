"""E-Card in ten lines: play, solve, review."""

import facedown

match = facedown.new("ecard", seats=("Ann", "Bo"), seed="oak")
match.seal(1, "E")  # face down: Bo sees that a card lies there, and nothing more
match.seal(2, "S")  # the last one turns them all
print(match)

game = facedown.play("ecard", ["habit", "sage"], seed="oak")
print(facedown.solve("ecard").at(round=1, score=(0, 0)))
print(facedown.review(game, seat=1))
