// A seat's clock, counted down from the server's word; silent where the seat has no deadline.
import { html, useEffect, useState } from "../html.js";

/** @import { Sight } from "../contract.js" */

/** @param {number} ms */
function written(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const days = Math.floor(seconds / 86400);
  if (days) return `${days} d ${Math.floor((seconds % 86400) / 3600)} h`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {{sight: Sight, seat: number}} props */
export function Clock({ sight, seat }) {
  const deadline = sight.turn?.deadlines?.[String(seat)];
  const bank = sight.turn?.banks?.[String(seat)];
  const [, tick] = useState(0);
  useEffect(() => {
    if (deadline === undefined) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  if (deadline === undefined && bank === undefined) return null;
  const left = deadline === undefined ? (bank ?? 0) : deadline - sight.now();
  return html`<span class="clock" data-running=${deadline !== undefined} role="timer">${written(left)}</span>`;
}
