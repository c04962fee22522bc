// Notices over a table: connection lost, playing in another tab, watching, a player away, the next game is ready, and
// the alarm when the server contradicts what this browser has received before.

import { html, useEffect, useState, useTimer } from "../html.js";
import { Button } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { Sign } from "../parts/marks.js";
import { saveJson } from "../parts/sharing.js";
import { machineName } from "../phrases.js";
import { ContinuedFrom } from "../review/continuing.js";
import { go } from "../router.js";
import { sitAtNext } from "../state/seating.js";
import { t, wordsOf } from "../words.js";

/** @import { Sight } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */
/** @import { SeatInfo } from "../net/protocol.js" */

/** @param {{screenSeats: ScreenSeats, sight: Sight}} props */
export function Notices({ screenSeats, sight }) {
  const { status, recapping } = screenSeats.active();
  const { connected, plays, slow } = status.value;
  const trouble = connected ? slow && "slow" : "down";
  const { table, seat } = sight;
  return html`
    <div class="lines">
      ${
        trouble &&
        html`<p class="line" role="status">
          <span class="line-dot"></span>${t(`notice.${trouble}${sight.placed ? "_sealed" : ""}`)}
        </p>`
      }
      ${recapping.value && html`<p class="line since" role="status">${t("notice.since")}</p>`}
      <${Clocked} sight=${sight} />
      <${Unready} sight=${sight} />
      <${Opening} key=${table.turn?.decision} sight=${sight} log=${screenSeats.active().known.value.log} />
      ${screenSeats.sessions.value.map((each) => html`<${AskOpening} key=${each.seat} session=${each} />`)}
      ${
        connected &&
        !plays &&
        seat > 0 &&
        html`<p class="line" role="status">
          ${t("notice.elsewhere")} <button class="link" onClick=${() => screenSeats.active().connection.take()}>
            ${t("notice.take")}
          </button>
        </p>`
      }
      <${PlayedFor} screenSeats=${screenSeats} sight=${sight} />
      ${
        (seat > 0 || sight.shared) &&
        table.state === "playing" &&
        table.seats.map(
          (each) => html`<${Away} key=${each.seat} screenSeats=${screenSeats} sight=${sight} away=${each} />`,
        )
      }
      ${
        table.continues &&
        table.turn?.decision === table.continues.decisions + 1 &&
        html`<p class="line" role="status">
          <span><${ContinuedFrom} continues=${table.continues} seat=${seat} /></span>
        </p>`
      }
      ${
        table.next &&
        !(seat > 0 && table.state === "over") &&
        html`<${Next} screenSeats=${screenSeats} next=${table.next} />`
      }
    </div>
    ${
      seat === 0 &&
      !sight.shared &&
      table.state === "playing" &&
      html`<p class="line watching">
        <${Sign} of="eye" />${t("notice.watching")}
      </p>`
    }
  `;
}

const NOTICED = 1500; // quick openings need no notice

/** At a blind table: all have sealed, and these have not opened yet; a player who has resigned is reminded of it.
 * @param {{sight: Sight, log: import("../state/fold.js").Entry[]}} props */
function Opening({ sight, log }) {
  const [late, setLate] = useState(false);
  const waiting = (!sight.revealing && sight.turn?.to_open) || [];
  const due = waiting.length > 0;
  useTimer(due ? NOTICED : null, () => setLate(true), [due]);
  const resigns = log.some(({ k, decision }) => k === "resigning" && decision === sight.turn?.decision);
  if (!due || !(late || resigns)) return null;
  const names = waiting.map(sight.names).join(t("list.comma"));
  return html`<p class="line" role="status" data-opening>
    ${t("notice.opening", { names })} ${resigns && t("event.resigning")}
  </p>`;
}

/** The players who still read, while the clocks of the first decision wait for them. @param {{sight: Sight}} props */
function Unready({ sight: { seat, turn, names, now } }) {
  const [waits, setWaits] = useState(false);
  const unready = turn?.unready ?? [];
  const isDue = unready.length > 0 && !unready.includes(seat);
  useEffect(() => {
    if (!isDue || !turn) return undefined;
    const timers = [setTimeout(() => setWaits(true), NOTICED), setTimeout(() => setWaits(false), turn.since - now())];
    return () => timers.forEach(clearTimeout);
  }, [isDue]);
  if (!isDue || !waits) return null;
  return html`<p class="line" role="status">
    ${t("notice.unready", { names: unready.map(names).join(t("list.comma")) })}
  </p>`;
}

/** At a blind table of a game that does not say who has to pick: the player decides when the pick is opened.
 * @param {{session: import("../state/seat_session.js").SeatSession}} props */
function AskOpening({ session: { sealing } }) {
  if (sealing.asks.value === 0) return null;
  return html`<p class="line" role="status">
    ${t("notice.ask_open")}
    <button class="link" onClick=${() => sealing.openPick(true)}>${t("notice.open_now")}</button>
  </p>`;
}

/** The players whose picks the clock has placed. @param {{sight: Sight}} props */
function Clocked({ sight }) {
  const seats = clockedSeats(sight);
  const others = seats.filter((each) => each !== sight.seat).map(sight.names);
  return html`
    ${seats.length > others.length && html`<p class="line">${t("notice.flagged_you")}</p>`}
    ${others.length > 0 && html`<p class="line">${t("event.flagged", { name: others.join(t("list.comma")) })}</p>`}
  `;
}

/** The seats for which the clock has placed a pick, in the decision or the reveal that is shown.
 * @param {Sight} sight */
function clockedSeats({ revealing, lastReveal, turn }) {
  if (revealing) return lastReveal?.clocked ?? [];
  return turn?.sealed.filter(({ placer }) => placer === "clock").map(({ seat }) => seat) ?? [];
}

/** The next game is ready, with a seat reserved for everyone who played.
 * @param {{screenSeats: ScreenSeats, next: string}} props */
function Next({ screenSeats, next }) {
  const follow = useWork(async () => {
    const seats = screenSeats.sitters();
    if (seats[0].seat > 0) await sitAtNext(next, seats);
    go(`/t/${next}`);
  });
  return html`<p class="line">
    ${t("notice.next")} <${Button} work=${follow} class="link">${t("notice.next_go")}<//>
  </p>`;
}

/** A machine plays a seat of this screen: a button to take it back.
 * @param {{screenSeats: ScreenSeats, sight: Sight}} props */
function PlayedFor({ screenSeats, sight }) {
  const { table } = sight;
  const mine = table.seats.filter((each) => each.replaced_at !== null && screenSeats.sessionOf(each.seat));
  const since = mine[0]?.replaced_at ?? null;
  const [taken, setTaken] = useState(/** @type {number|null} */ (null)); // before the table shows it
  const back = useWork(async () => {
    await Promise.all(mine.map((each) => screenSeats.sessionOf(each.seat)?.do({ do: "back" })));
    setTaken(since);
  });
  if (since === null || since === taken || table.state !== "playing") return null;
  const machine = machineName(wordsOf(table.game), mine[0].machine ?? "");
  return html`<p class="line" role="status">
    ${t("notice.played_for", { machine })}
    <${Button} work=${back} class="link">${t("notice.take_back")}<//>
  </p>`;
}

/** A player who left or is away: the server decides when a machine may take over; everyone still here has to agree.
 * @param {{screenSeats: ScreenSeats, sight: Sight,
 *   away: SeatInfo}} props */
function Away({ screenSeats, sight, away }) {
  const gone =
    away.kind === "person" &&
    !screenSeats.sessionOf(away.seat) &&
    away.replaced_at === null &&
    (away.left || !away.here);
  const replace = useWork(() => screenSeats.speaker().do({ do: "replace", seat: away.seat }));
  const machine = machineName(wordsOf(sight.table.game), sight.table.substitute ?? "");
  if (!gone) return null;
  if (away.offer) return html`<${Offer} screenSeats=${screenSeats} sight=${sight} away=${away} />`;
  return html`<p class="line">
    ${t(away.left ? "notice.left" : "notice.away", { name: sight.names(away.seat) })}
    ${away.replaceable && html`<${Button} work=${replace} class="link">${t("notice.replace", { machine })}<//>`}
  </p>`;
}

/** A machine was offered: agree, or wait for those who have not agreed yet. @param {{screenSeats: ScreenSeats,
 *   sight: Sight, away: SeatInfo}} props */
function Offer({ screenSeats, sight, away }) {
  const { machine, agreed, needed } = /** @type {NonNullable<typeof away.offer>} */ (away.offer);
  const missing = needed.filter((seat) => !agreed.includes(seat));
  const here = screenSeats.sessions.value.filter(({ seat }) => missing.includes(seat));
  const agree = useWork(() => Promise.all(here.map((each) => each.do({ do: "agree", seat: away.seat }))));
  const params = { name: sight.names(away.seat), machine: machineName(wordsOf(sight.table.game), machine) };
  return html`<p class="line">
    ${t("notice.offer", params)}
    ${here.length > 0 && html`<${Button} work=${agree} class="link">${t("notice.agree")}<//>`}
    ${
      here.length === 0 &&
      html`<span class="quiet">
        <bdi>${t("notice.waits_for", { names: missing.map(sight.names).join(t("list.comma")) })}</bdi>
      </span>`
    }
  </p>`;
}

/** @param {{screenSeats: ScreenSeats, sight: Sight}} props */
export function AlarmNotice({ screenSeats, sight }) {
  const session = screenSeats.sessions.value.find((each) => each.witness.alarm.value) ?? screenSeats.shared.value;
  const alarm = session?.witness.alarm.value;
  if (!session || !alarm) return null;
  const place = { name: sight.names(alarm.seat ?? 0) || "–", n: alarm.decision ?? 0 };
  const save = () => saveJson(`facedown-evidence-${session.table}.json`, session.witness.evidence);
  const accept = () => {
    session.witness.acceptKey();
    location.reload();
  };
  return html`<section class="notice alarm" role="alert" aria-labelledby="alarm-title">
    <h2 id="alarm-title">${t("alarm.title")}</h2>
    <p>${t(`alarm.${alarm.kind}`, place)}</p>
    <p>${t("alarm.stopped")}</p>
    <div class="row">
      <button class="button first" onClick=${save}>${t("alarm.save")}</button>
      ${
        alarm.kind === "key" &&
        html`<button class="button second" onClick=${accept}>
          ${t("alarm.accept")}
        </button>`
      }
    </div>
  </section>`;
}
