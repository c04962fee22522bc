"""News of an online table in line mode: what its people say and do, the invitation, the next game."""

from __future__ import annotations

from facedown.terminal.lines.console import Console
from facedown.terminal.moments.session import TableSession


class PlayersNews:
    """Tells what is new among the people at a table, each thing once."""

    def __init__(self, console: Console, session: TableSession) -> None:
        self._console = console
        self._session = session
        self._players = session.players
        self._words = session.words
        self._heard = self._players.remarks_heard
        self._news_seen = len(self._players.news)
        self._told: dict[str, str] = {}
        """What was told last, of each kind."""

    def tell(self) -> None:
        """What was said since, who left or was replaced, and whether the next game is set."""
        players, table = self._players, self._session.table
        if self._is_new("link", players.invitation):
            self._console.say(players.invitation)  # on a line of its own, which no width breaks
        self._say_new("free", players.free_seats)
        news = players.news
        for each in news[self._news_seen :]:
            self._console.say_wrapped(each)
        self._news_seen = len(news)
        self._say_new("hint", self._hint() if table.people else "")
        self._say_new("series", players.series if table.started else "")
        heard = players.remarks_heard
        for line in players.chat_lines[self._heard - heard :] if heard > self._heard else ():
            said = self._words("talk.line", name=line.name, text=line.text)
            self._console.say_wrapped(said, indent="  ")
        self._heard = heard
        follows = players.following and table.people
        self._say_new("next", self._words("remote.following_line") if follows else "")

    def _say_new(self, kind: str, text: str) -> None:
        if self._is_new(kind, text):
            self._console.say_wrapped(text)

    def _is_new(self, kind: str, text: str) -> bool:
        new = bool(text) and text != self._told.get(kind)
        self._told[kind] = text
        return new

    def _hint(self) -> str:
        """What can be typed about those who are missed, or about one's own seat that a bot plays."""
        machine = self._players.replaced_by
        said = [self._words("hint.back", machine=machine)] if machine else []
        for each in self._players.absent:
            if each.asks_you:
                said.append(self._words("hint.agree", name=each.name, machine=each.machine))
            elif not each.machine:
                said.append(self._words("hint.replace", name=each.name))
        return self._words.sentences(said)
