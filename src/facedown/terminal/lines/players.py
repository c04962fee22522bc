"""Chat and other commands of an online table in line mode: clocks, absences, leaving, rematch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from facedown.core.seats import Seat, Viewer
from facedown.terminal.lines.console import Console, LeaveTable
from facedown.terminal.tables.absences import chosen_absent
from facedown.terminal.tables.table import Avoidance, TerminalTable
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from facedown.terminal.tables.remote import OnlineTable


class PlayerCommands:
    """The commands that a table with people elsewhere has, and the news of what they say."""

    def __init__(self, console: Console, table: TerminalTable, players: OnlineTable, words: Words) -> None:
        self._console = console
        self._table = table
        self._players = players
        self._words = words
        self._heard = players.remarks_heard
        self._news_seen = len(players.news)
        self._hinted = ""
        self._series = ""
        self._invited = ""
        self._free = ""
        self._following = False
        self.next: TerminalTable | None = None
        """The table of the next game, once a rematch was requested here."""

    @property
    def commands(self) -> Mapping[str, Callable[[Viewer, str], None]]:
        return {
            "say": lambda _, rest: self._players.say(rest),
            "talk": lambda *_: self._talk(),
            "clock": lambda *_: self._clocks(),
            "replace": lambda _, rest: self._for_absent("replace", rest, self._players.offer),
            "agree": lambda _, rest: self._for_absent("agree", rest, self._players.agree),
            "back": lambda *_: self._take_back(),
            "leave": lambda *_: self._leave(),
            "rematch": lambda *_: self._rematch(),
            "copy": lambda *_: self._copy(),
            "qr": lambda *_: self._show_code(),
            "mute": lambda _, rest: self._avoid("mute", rest),
            "block": lambda _, rest: self._avoid("block", rest),
            "report": lambda _, rest: self._avoid("report", rest),
        }

    def tell_news(self) -> None:
        """What was said since, who left or was replaced, and whether the next game is set."""
        self._tell_invitation()
        self._tell_affairs()
        heard = self._players.remarks_heard
        if heard > self._heard:
            for each in self._players.chat_lines[self._heard - heard :]:
                self._say(each.name, each.text)
        self._heard = heard
        if self._players.following and not self._following and self._table.people:
            self._console.say_wrapped(self._words("remote.following_line"))
        self._following = self._players.following

    def _tell_invitation(self) -> None:
        """The link on a line of its own, which no width breaks, and the seats that are free."""
        link, free = self._players.invitation, self._players.free_seats
        if link and link != self._invited:
            self._console.say(link)
        if free and free != self._free:
            self._console.say_wrapped(free)
        self._invited, self._free = link, free

    def tell_clocks(self) -> bool:
        """How long each player on turn may still take; whether any clock runs."""
        left = {seat: self._table.milliseconds_left(seat) for seat in self._table.may_seal}
        clocks = [
            self._words("remote.clock", name=self._table.names[seat - 1], time=self._words.span(milliseconds))
            for seat, milliseconds in left.items()
            if milliseconds is not None
        ]
        if clocks:
            self._console.say_wrapped(self._words.sentences(clocks))
        return bool(clocks)

    def _say(self, name: str, text: str) -> None:
        self._console.say_wrapped(self._words("talk.line", name=name, text=text), indent="  ")

    def _tell_affairs(self) -> None:
        news = self._players.news
        for each in news[self._news_seen :]:
            self._console.say_wrapped(each)
        self._news_seen = len(news)
        hint = self._hint() if self._table.people else ""
        if hint and hint != self._hinted:
            self._console.say_wrapped(hint)
        self._hinted = hint
        series = self._players.series if self._table.started else ""
        if series and series != self._series:
            self._console.say_wrapped(series)
        self._series = series

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

    def _for_absent(self, command: str, rest: str, do: Callable[[Seat], None]) -> None:
        seat = chosen_absent(self._players.absent, rest, offered=command == "agree")
        if seat is None:
            self._console.say_wrapped(self._words(f"help.{command}"))
        else:
            do(seat)

    def _take_back(self) -> None:
        if not self._players.replaced_by:
            self._console.say_wrapped(self._words("help.back"))
            return
        self._players.take_back()

    def _avoid(self, how: Avoidance, rest: str) -> None:
        names = {str(seat): name for seat, name in enumerate(self._table.names, 1)}
        word = rest.strip().lower()
        found = [seat for seat, name in names.items() if word in (seat, name.lower())]
        if not found or int(found[0]) in self._table.people:
            self._console.say_wrapped(self._words(f"help.{how}"))
            return
        self._players.avoid(how, int(found[0]))
        self._console.say_wrapped(self._words(f"avoided.{how}", name=names[found[0]]))

    def _talk(self) -> None:
        for each in self._players.chat_lines:
            self._say(each.name, each.text)
        if not self._players.chat_lines:
            self._console.say(self._words("talk.nothing"))
        self._console.say_wrapped(self._words("talk.who"))

    def _clocks(self) -> None:
        if not self.tell_clocks():
            self._console.say(self._words("remote.no_clock"))

    def _leave(self) -> None:
        if self._console.ask(self._words("ask_get_up")).strip().lower() not in ("yes", "y"):
            self._console.say(self._words("you_play_on"))
            return
        self._players.leave_seat()
        raise LeaveTable

    def _rematch(self) -> None:
        if not self._table.started or self._table.outcome is None:
            self._console.say_wrapped(self._words("help.rematch"))
            return
        self.next = self._players.rematch()

    def _copy(self) -> None:
        link = self._players.invitation
        if not link:
            self._console.say_wrapped(self._words("help.copy"))
        elif self._console.seen:
            from facedown.terminal.drawing.invitation import copy_to_clipboard  # rarely needed

            copy_to_clipboard(link, self._console.write)
            self._console.say(self._words("remote.copied"))
        else:
            self._console.say(link)

    def _show_code(self) -> None:
        from facedown.terminal.drawing.invitation import qr_lines  # rarely needed

        lines = qr_lines(self._players.invitation, ascii_only=self._console.ascii_only)
        self._console.say("\n".join(lines) if self._players.invitation else self._words("help.qr"))
