"""An account in the browser: kept, found again on another device, defended against a stolen code, left."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from facedown.client.errors import ServerRefused
from tests.server.http.keeping import new_handle
from tests.server.programs import ask
from tests.web.reach import small
from tests.web.screenshots.positions import Guest
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS, ServerProcess, Visitor
from tests.web.shell.test_afterwards import resign
from tests.web.violations import violations

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")


def begins(page: Page, handle: str) -> list[str]:
    """The first step of keeping an account; the groups of the code that is shown then."""
    page.locator(".asked-back input").fill(handle)
    page.keyboard.press("Enter")
    expect(page.locator(".slip")).to_be_visible()
    groups = page.locator(".slip code").all_inner_texts()
    assert [len(group) for group in groups] == [4] * 8
    return groups


def confirms(page: Page, groups: list[str]) -> None:
    """The two groups that are asked back: one in small letters, the other from the whole code pasted."""
    labels = page.locator(".asked-fields label > span").all_inner_texts()
    first, second = (asked_number(label) for label in labels)
    fields = page.locator(".asked-fields input")
    fields.nth(0).fill(f" {groups[first - 1].lower()} ")
    fields.nth(1).fill(" ".join(groups))
    assert second > first
    page.keyboard.press("Enter")
    expect(page.locator(".devices")).to_be_visible()


def asked_number(label: str) -> int:
    digit = re.search(r"\d", label)
    return int(digit[0]) if digit else ORDINALS.index(label.split()[0]) + 1


def keeps(visitor: Visitor) -> tuple[str, list[str]]:
    """An account of this visitor: its handle and the groups of its code."""
    page, handle = visitor.goes_to("/account"), new_handle()
    groups = begins(page, handle)
    confirms(page, groups)
    return handle, groups


def signs_in(page: Page, handle: str, code: str) -> None:
    page.locator(".sign-in input").nth(0).fill(handle)
    page.locator(".sign-in input").nth(1).fill(code)
    page.keyboard.press("Enter")


def fits(page: Page) -> None:
    """Nothing sticks out, is too small for a thumb or stops assistive technology."""
    expect(page.locator("main h1").first).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert violations(page) == []
    if page.evaluate("innerWidth") < 400:
        assert list(small(page)) == []


def test_a_stolen_code_is_replaced_on_the_first_device(comes: Comes) -> None:
    first, thief = (comes(wide=360, high=900, light=True) for _ in range(2))
    for visitor in (first, thief):
        visitor.forgives(REFUSALS)
    page, handle = first.goes_to("/account"), new_handle()

    page.locator(".asked-back input").fill("a b")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    groups = begins(page, handle)
    expect(page.locator("h1")).to_be_focused()
    fits(page)
    for field in page.locator(".asked-fields input").all():
        field.fill("2222")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    for public in (page.url, page.title(), *page.locator("[role=status], [role=alert]").all_inner_texts()):
        assert not any(group in public for group in groups)
    confirms(page, groups)
    expect(page.locator("h1")).to_be_focused()
    fits(page)

    other = thief.goes_to("/sign-in")
    signs_in(other, handle, "-".join(["2222"] * 8))
    expect(other.get_by_role("alert")).to_be_visible()
    signs_in(other, handle, "".join(groups).lower())
    expect(other.locator(".devices li")).to_have_count(2)

    first.goes_to("/rules")
    notice = page.locator(".account-notice")
    expect(notice).to_be_visible()
    fits(page)
    notice.get_by_role("button").last.click()
    expect(page.locator(".slip")).to_be_visible()
    renewed = page.locator(".slip code").all_inner_texts()
    assert renewed != groups
    confirms(page, renewed)
    expect(page.locator(".devices li")).to_have_count(1)
    expect(notice).to_have_count(0)

    thief.goes_to("/settings")
    expect(other.locator(".account-notice")).to_contain_text(handle)
    thief.goes_to("/sign-in")
    signs_in(other, handle, "".join(groups))
    expect(other.get_by_role("alert")).to_be_visible()


def test_a_kept_account_is_called_by_its_handle_and_leaves_no_name_behind(comes: Comes) -> None:
    first, second = comes(), comes()
    for visitor in (first, second):
        visitor.forgives(REFUSALS)
    page, handle = first.goes_to("/account"), f"Noor_{new_handle()[:9]}"
    groups = begins(page, handle)
    confirms(page, groups)

    expect(page.get_by_role("heading", name=f"Kept, {handle}")).to_be_visible()
    expect(page.locator(".bar .signet")).to_have_text("N")
    first.goes_to("/settings")
    expect(page.get_by_text(f"{handle} Your handle. Others call you by it")).to_be_visible()
    expect(page.locator("#own-name")).to_have_count(0)

    signs_in(second.goes_to("/sign-in"), handle.lower(), "".join(groups))
    expect(second.page.get_by_role("heading", name=handle)).to_be_visible()
    expect(second.page.get_by_text("signed in with the code")).to_be_visible()
    first.goes_to("/")
    page.get_by_role("button", name="It was me").click()
    expect(page.locator(".account-notice")).to_have_count(0)
    second.page.reload()
    expect(second.page.get_by_role("button", name="Sign out everywhere else")).to_be_visible()
    first.goes_to("/account")
    page.get_by_role("button", name="Sign out Chrome, Linux").click()
    expect(page.locator(".devices li")).to_have_count(1)
    expect(page.locator(".devices [role=status]")).to_have_text("Signed out: Chrome, Linux.")
    second.goes_to("/settings")
    expect(second.page.locator(".account-notice")).to_contain_text(handle)
    expect(second.page.locator("#own-name")).to_have_value("")  # a new guest, not this person once more

    page.get_by_role("button", name="Sign out on this device").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).click()
    expect(page).to_have_url(re.compile("/$"))
    first.goes_to("/account")
    expect(page.locator(".asked-back input")).to_have_value("")


SUBSCRIBED = """
  const keys = { p256dh: "B".repeat(87), auth: "B".repeat(22) };
  const subscription = { toJSON: () => ({ endpoint: "https://fcm.googleapis.com/mine", keys }) };
  const ready = Promise.resolve({ pushManager: { getSubscription: async () => subscription } });
  Object.defineProperties(ServiceWorkerContainer.prototype, {
    controller: { get: () => ({}) }, ready: { get: () => ready },
  });
"""
"""A browser that is subscribed to a push service, which a browser of the tests has not."""


def test_notifications_go_on_after_the_server_has_ended_all_subscriptions(comes: Comes) -> None:
    first, second = comes(), comes()
    second.forgives(REFUSALS)
    page = first.page
    page.add_init_script(SUBSCRIBED)
    with page.expect_response("**/push/subscription") as kept:
        handle, groups = keeps(first)
    assert kept.value.ok
    second.page.add_init_script(SUBSCRIBED)
    with second.page.expect_response("**/push/subscription") as entered:
        signs_in(second.goes_to("/sign-in"), handle, "".join(groups))
    assert entered.value.ok
    expect(second.page.locator(".devices li")).to_have_count(2)
    first.goes_to("/account")
    page.get_by_role("button", name="Sign out everywhere else").click()
    with page.expect_response("**/push/subscription") as alone:
        page.get_by_role("dialog").get_by_role("button", name="Sign out everywhere else").click()
    assert alone.value.ok


def test_a_device_that_was_signed_out_says_so(comes: Comes, server: ServerProcess) -> None:
    first, guest = comes(), Guest(server.url, "Ann")
    first.forgives(REFUSALS)
    first.continues_as(guest.bearer)
    page = first.goes_to("/")
    page.evaluate("localStorage.setItem('facedown.known', 'true')")
    first.goes_to("/account")
    expect(page.get_by_text("Your other devices are signed out")).to_be_visible()

    ask(
        server.url, "DELETE", "/people/me/sessions", None, guest.bearer
    )  # as keeping the account elsewhere does
    first.goes_to("/rules")
    expect(page.locator(".account-notice")).to_contain_text("You are a new guest here")
    assert violations(page) == []
    page.get_by_role("button", name="Not now").click()
    expect(page.locator(".account-notice")).to_have_count(0)
    page.reload()
    expect(page.locator(".rule-page")).to_be_visible()
    expect(page.locator(".account-notice")).to_have_count(0)


def test_a_guest_who_signs_in_is_told_that_games_stay(comes: Comes) -> None:
    first, second = comes(), comes()
    handle, groups = keeps(first)
    page = second.goes_to("/")
    page.get_by_role("button", name="Play now: E-Card").click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    resign(page)

    held: list[Route] = []
    asked: list[str] = []
    page.route("**/api/v1/session", lambda route: held.append(route))
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    second.goes_to("/sign-in")
    expect(page.get_by_text("You have played 1 game here")).to_be_visible()
    expect(page.get_by_text("They stay behind if you sign in")).to_be_visible()
    expect(page.get_by_role("link", name="Keep this account")).to_be_visible()
    assert violations(page) == []
    while asked.count("session") < 2:  # for the account, and a little later for its notices
        page.wait_for_event("request")
    signs_in(page, handle, "".join(groups))
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_disabled()
    assert asked.count("sign-in") == 1, "the page: an answer that finds no session would make a new guest"
    for route in held:
        route.continue_()
    page.unroute("**/api/v1/session")

    expect(page.get_by_role("heading", name=handle)).to_be_visible()
    first.goes_to("/me")
    expect(first.page.locator(".past-score")).to_have_count(0)


def test_a_new_code_replaces_the_old_one_and_brings_its_owner_back(comes: Comes) -> None:
    visitor = comes()
    visitor.forgives(REFUSALS)
    handle, old = keeps(visitor)
    page = visitor.goes_to("/account")
    page.get_by_role("button", name="Get a new code").click()
    expect(page.locator(".slip")).to_be_visible()
    page.get_by_role("button", name="Not now").click()
    expect(page.locator(".devices")).to_be_visible()
    page.get_by_role("button", name="Get a new code").click()
    expect(page.locator(".slip")).to_be_visible()
    new = page.locator(".slip code").all_inner_texts()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    assert "-".join(new) in saved.value.path().read_text("utf-8")
    confirms(page, new)

    page.get_by_role("button", name="Sign out on this device").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator(".home")).to_be_visible()
    expect(page.locator(".account-notice")).to_have_count(0)
    visitor.goes_to("/settings")
    page.get_by_role("link", name="Sign in").click()
    signs_in(page, handle, "".join(old))
    expect(page.get_by_role("alert")).to_be_visible()
    signs_in(page, handle, "".join(new))
    expect(page.get_by_role("heading", name=handle)).to_be_visible()


AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def with_authenticator(visitor: Visitor) -> tuple[CDPSession, str]:
    """The visitor's browser makes passkeys from now on, at a host name; the channel to it, and its id."""
    visitor.url = visitor.url.replace("127.0.0.1", "localhost")
    told = visitor.context.new_cdp_session(visitor.page)
    told.send("WebAuthn.enable")
    made = told.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return told, made["authenticatorId"]


def test_a_passkey_opens_the_account_on_another_device(comes: Comes) -> None:
    first, second = comes(), comes(wide=360, light=True)
    second.forgives(REFUSALS)
    (told, own), (other_told, other) = with_authenticator(first), with_authenticator(second)
    keeps(first)
    page = first.page
    page.get_by_role("button", name="Create a passkey").click()
    passkeys = page.get_by_role("list", name="Your passkeys").get_by_role("listitem")
    expect(passkeys).to_have_count(1)
    expect(page.get_by_text("The passkey is ready.")).to_be_visible()
    assert violations(page) == []
    (made,) = told.send("WebAuthn.getCredentials", {"authenticatorId": own})["credentials"]
    assert made["isResidentCredential"]
    assert made["rpId"] == "localhost"
    other_told.send("WebAuthn.addCredential", {"authenticatorId": other, "credential": made})

    entering = second.goes_to("/sign-in")
    entering.get_by_role("button", name="Sign in with a passkey").click()
    expect(entering.locator(".devices li")).to_have_count(2)
    fits(entering)

    page.get_by_role("button", name="Remove the passkey of Chrome, Linux").click()
    expect(passkeys).to_have_count(0)
    second.goes_to("/sign-in")
    entering.get_by_role("button", name="Sign in with a passkey").click()
    expect(entering.get_by_role("alert")).to_be_visible()


def test_an_address_of_numbers_has_no_passkeys(comes: Comes) -> None:
    visitor = comes()
    keeps(visitor)
    expect(visitor.page.locator(".pane h2").first).to_be_visible()

    assert visitor.page.get_by_text("passkey").count() == 0


def test_keeping_is_offered_once_on_the_ending_of_the_third_game(comes: Comes) -> None:
    page = comes().goes_to("/")
    page.get_by_role("button", name="Play now: E-Card").click()
    offers: list[int] = []
    for _ in range(4):
        expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
        resign(page)
        expect(page.locator(".ending-says")).to_be_visible()  # the loser is not led on
        expect(page.locator(".ending-keep")).to_have_count(int(len(offers) == 2))
        offers.append(page.locator(".ending-keep").count())
        if len(offers) < 4:
            page.get_by_role("button", name="Rematch").click()

    assert offers == [0, 0, 1, 0]


def secret(page: Page) -> str:
    return page.locator(".program-once code").first.inner_text()


def test_a_bot_is_made_gets_another_token_and_is_erased(comes: Comes, server: ServerProcess) -> None:
    visitor = comes(wide=360)
    visitor.forgives(REFUSALS)
    handle, _ = keeps(visitor)
    page = visitor.page
    page.get_by_role("link", name="Programs and bots").click()
    bots = page.get_by_role("list", name="Bots")
    page.get_by_label("Name of a new bot").fill("a b")
    page.get_by_role("button", name="Make a bot").click()
    expect(page.get_by_role("alert")).to_be_visible()
    name = f"b{handle[-12:]}"
    page.get_by_label("Name of a new bot").fill(name)
    page.get_by_role("button", name="Make a bot").click()
    expect(bots.get_by_role("listitem")).to_contain_text(handle[:10])
    first = secret(page)
    assert name in ask(server.url, "GET", "/people/me", None, first)["name"]
    assert violations(page) == []

    page.get_by_role("button", name=f"New token for {name}").click()
    expect(page.locator(".program-once code").first).not_to_have_text(first)
    assert name in ask(server.url, "GET", "/people/me", None, secret(page))["name"]
    with pytest.raises(ServerRefused):
        ask(server.url, "GET", "/people/me", None, first)
    page.reload()
    expect(bots.get_by_role("listitem")).to_have_count(1)
    expect(page.locator(".program-once")).to_have_count(0)  # it is shown once

    visitor.goes_to("/settings")
    page.get_by_role("button", name="Sign out everywhere else").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Your bots keep their tokens and play on: {name}.")
    page.get_by_role("dialog").get_by_role("link", name="New token").click()
    expect(page).to_have_url(re.compile("/account/programs$"))

    page.get_by_role("button", name=f"Erase {name}").click()
    page.get_by_role("dialog").get_by_role("button", name="Erase").click()
    expect(bots.get_by_role("listitem")).to_have_count(0)


def test_a_token_may_do_what_was_ticked_until_it_is_revoked(comes: Comes, server: ServerProcess) -> None:
    visitor = comes(wide=360)
    keeps(visitor)
    page = visitor.goes_to("/account/programs")
    tokens = page.get_by_role("list", name="Tokens for your programs")
    page.get_by_label("see your tables and games").uncheck()
    make = page.get_by_role("button", name="Make a token")
    expect(make).to_be_disabled()
    page.get_by_label("see your name, ratings and past games").check()
    page.get_by_label("Name of the program").fill("Reader")
    make.click()
    token = secret(page)
    fits(page)
    assert ask(server.url, "GET", "/people/me", None, token)["person"]
    with pytest.raises(ServerRefused, match="scope"):
        ask(server.url, "GET", "/tables", None, token)
    page.get_by_role("button", name="Revoke Reader").click()
    expect(tokens.get_by_role("listitem")).to_have_count(0)
    expect(page.locator(".program-once")).to_have_count(0)
    with pytest.raises(ServerRefused):
        ask(server.url, "GET", "/people/me", None, token)
