// The moment in which the seats swap sides: said over the two places, for a second or two, or until a card is raised.

import { html, useEffect, useState } from "/app/html.js";
import { Mark } from "../drawing/marks.js";

/** @import { Sight, Words } from "/app/contract.js" */

const LONG = 1800;

/** Whether the sides have just been swapped, and the player has gone on from the round before.
 * @param {Sight} sight @param {boolean} showing whether a reveal is being shown */
export function useSwap(sight, showing) {
  const [seen, setSeen] = useState(0);
  const { lastReveal, view, turn } = sight;
  const decision = lastReveal?.decision ?? 0;
  const fresh = lastReveal !== null && turn?.decision === decision + 1 && sight.placed === null;
  const swapped =
    fresh && !showing && seen !== decision && !view.outcome && lastReveal.before?.emperor !== view.emperor;
  useEffect(() => {
    if (!swapped) return undefined;
    const timer = setTimeout(() => setSeen(decision), LONG);
    return () => clearTimeout(timer);
  }, [swapped, decision]);
  return swapped;
}

/** @param {{view: any, you: number, below: number, words: Words, call: (seat: number) => string}} props */
export function Swap({ view, you, below, words, call }) {
  const side = below === view.emperor ? "E" : "S";
  const says = you
    ? words(`swap.you.${side}`)
    : words("swap.watched", { emperor: call(view.emperor), slave: call(3 - view.emperor) });
  return html`<p class="ec-swap" role="status">
    <span class="ec-swap-marks" aria-hidden="true">
      <span data-from="above"><${Mark} of=${side === "E" ? "S" : "E"} /></span>
      <span data-from="below"><${Mark} of=${side} /></span>
    </span>
    <b>${words("swap.title")}</b> <span>${says}</span>
  </p>`;
}
