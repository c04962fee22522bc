// Speech bubbles: a new chat message, for a few seconds, at its sender's seat. The live region reads it aloud; the
// chat keeps it.

import { html, useEffect, useElement, useLayoutEffect, useState } from "../html.js";
import { Emote, isEmote } from "../parts/emotes.js";
import { t } from "../words.js";
import { chatText, switchedText } from "./narration.js";

/** @import { Sight } from "../contract.js" */
/** @import { Frame } from "../net/socket.js" */
/** @import { Said, ScreenSeats } from "../state/screen_seats.js" */

const LASTS = 4_000;

/** @param {{screenSeats: ScreenSeats, sight: Sight}} props */
export function Bubbles({ screenSeats, sight }) {
  const [said, setSaid] = useState(/** @type {Said[]} */ ([]));
  const latest = screenSeats.latest.value;
  const spoken = screenSeats.spoken.value;
  const show = (/** @type {Said|null} */ message) => {
    if (!message) return;
    setSaid((before) => [...before.filter(({ seat }) => seat !== message.seat || seat === 0), message]);
    setTimeout(() => setSaid((before) => before.filter(({ v }) => v !== message.v)), LASTS);
  };
  useEffect(() => show(latest && !latest.frame.late ? messageOf(latest.frame) : null), [latest]);
  useEffect(() => show(spoken), [spoken]);
  return said.map((each) => html`<${Bubble} key=${each.v} said=${each} sight=${sight} />`);
}

/** What a frame says to everyone, if anything. @param {Frame} frame @returns {Said|null} */
function messageOf(frame) {
  const event = /** @type {Frame & Said & {on?: boolean}} */ (frame);
  if (event.k === "chat") return { v: event.v, seat: 0, name: t("chat.title"), text: switchedText(event.on === true) };
  return event.k === "said" ? event : null;
}

/** @param {{said: Said, sight: Sight}} props */
function Bubble({ said, sight }) {
  const bubble = useElement();
  useLayoutEffect(() => place(bubble.current, said.seat), []);
  const name = said.seat > 0 ? sight.names(said.seat) : said.name;
  return html`<p class="bubble" data-of=${said.seat} aria-hidden="true" ref=${bubble}>
    ${said.seat !== sight.seat && html`<b><bdi>${name}</bdi></b> `}
    ${isEmote(said.preset) ? html`<${Emote} of=${said.preset} />` : html`<bdi>${chatText(said)}</bdi>`}
  </p>`;
}

/** Beside the label of its seat (`data-anchor`), and inside the window: above the label in the lower half, and if the
 * label asks for it (`data-speech`), as what the seat has won stands below.
 * @param {HTMLElement|null} bubble @param {number} seat */
function place(bubble, seat) {
  if (!bubble) return;
  const label = /** @type {HTMLElement|null} */ (document.querySelector(`.stage [data-anchor="${seat}"]`));
  const anchor = label?.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const middle = anchor ? anchor.left + Math.min(anchor.width, 240) / 2 : innerWidth / 2;
  const over = anchor ? anchor.top - height - 8 : 0;
  const asks = label?.dataset.speech === "above" && over > bar;
  const top = !anchor ? 72 : asks || anchor.top > innerHeight / 2 ? over : anchor.bottom + 8;
  bubble.style.setProperty("left", `${Math.max(8, Math.min(innerWidth - width - 8, middle - width / 2))}px`);
  bubble.style.setProperty("top", `${Math.max(8, Math.min(innerHeight - height - 8, top))}px`);
}
