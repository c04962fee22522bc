"""A bot that reads people's habits, and is read by a better one: `python bot_in_twenty_lines.py`."""

import facedown


class Elsewhere(facedown.Bot[facedown.ECardView]):
    """Expects the special card neither at the first play nor where it came last time."""

    def pick(self, view: facedown.ECardView, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        """A Slave where the Emperor is expected, an Emperor where the Slave is not."""
        if "C" not in legal:  # with some rules the stake is a pick, too
            return legal[stream.below(len(legal))]
        came = [each.plays for each in view.rounds if each.cards[2 - view.viewer] != "C"]
        expected = view.play > 1 and view.play not in came[-1:]
        special = legal[-1]
        return special if expected == (special == "S") else "C"


if __name__ == "__main__":
    print(facedown.arena("ecard", [Elsewhere, "habit", "sage"], games=200, seed=1))
