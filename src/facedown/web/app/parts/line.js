// Small notices over a table: the line is down and heals by itself, another tab plays, one is a spectator, a seat is away.

import { html } from "../html.js";
import { go } from "../router.js";
import { sitAtNext } from "../state/seating.js";
import { t } from "../words.js";
import { seatName } from "./name.js";
import { useWork } from "./use.js";

/** @param {{company: import("../state/company.js").Company, sight: import("../contract.js").Sight}} props */
export function Line({ company, sight }) {
  const { status } = company.active();
  const { connected, plays } = status.value;
  const { table, seat } = sight;
  return html`<div class="lines">
    ${!connected && html`<p class="line" role="status"><span class="line-dot"></span>${t(sight.placed ? "line.down_sealed" : "line.down")}</p>`}
    ${connected && !plays && seat > 0 && html`<p class="line" role="status">${t("line.elsewhere")} <button class="link" onClick=${() => company.active().link.take()}>${t("line.take")}</button></p>`}
    ${seat === 0 && table.state !== "open" && html`<p class="line">${t("line.watching")}</p>`}
    ${seat > 0 && table.state === "playing" && table.seats.map((each) => html`<${Away} key=${each.seat} company=${company} sight=${sight} away=${each} />`)}
    ${table.next && html`<${Next} company=${company} next=${table.next} />`}
  </div>`;
}

/** The next game is there: whoever played has a seat kept. @param {{company: import("../state/company.js").Company, next: string}} props */
function Next({ company, next }) {
  const follow = useWork(async () => {
    const seats = company.places.peek().map((place) => place.seat);
    if (seats[0] > 0) await sitAtNext(next, seats);
    go(`/t/${next}`);
  });
  return html`<p class="line">${t("line.next")} <button class="link" disabled=${follow.busy} onClick=${follow.run}>${t("line.next_go")}</button></p>`;
}

/** Somebody who left: a machine may take over, if everybody agrees.
 * @param {{company: import("../state/company.js").Company, sight: import("../contract.js").Sight,
 *   away: import("../contract.js").SeatInfo}} props */
function Away({ company, sight, away }) {
  const name = seatName(away);
  if (away.kind !== "person" || away.seat === sight.seat || away.replaced_at !== null) return null;
  if (away.offer) {
    const asked = !away.offer.agreed.includes(sight.seat);
    return html`<p class="line">${t("line.offer", { name, machine: away.offer.machine })}
      ${asked && html`<button class="link" onClick=${() => company.active().do({ do: "agree", seat: away.seat }).catch(() => {})}>${t("line.agree")}</button>`}</p>`;
  }
  if (away.here && !away.left) return null;
  const replace = async () => {
    const { gameNamed } = await import("../games.js");
    const machine = (await gameNamed(sight.table.game))?.usual_machine;
    await company.active().do({ do: "replace", seat: away.seat, machine }).catch(() => {});
  };
  return html`<p class="line quiet">${t(away.left ? "line.left" : "line.away", { name })}
    ${away.left && html`<button class="link" onClick=${replace}>${t("line.replace")}</button>`}</p>`;
}
