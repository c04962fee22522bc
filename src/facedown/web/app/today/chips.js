// Ten chips on two picks: what leaves one card goes to the other, by buttons, keys, taps and dragging.

import { html } from "../html.js";
import { useGame } from "../parts/hooks.js";
import { Seal } from "../parts/marks.js";
import { useDrag } from "../table/input.js";
import { wordsOf } from "../words.js";
import { say } from "./words.js";

/** @import { MindPosition } from "../net/rest.js" */

const ALL = 10;
const THICK = 12;
const WIDE = 60;
const FLAT = 20; // how high the top of a chip is

/** @param {{position: MindPosition, first: number, open: boolean, change: (first: number) => void}} props */
export function Chips({ position, first, open, change }) {
  const counts = [first, ALL - first];
  /** @param {number} at @param {number} count */
  const lay = (at, count) => {
    const next = Math.min(ALL, Math.max(0, count));
    if (open) change(at === 0 ? next : ALL - next);
  };
  return html`<div class="today-cards" data-sealed=${!open}>
    ${counts.map((count, at) => html`<${Bet} position=${position} at=${at} count=${count} open=${open} lay=${lay} />`)}
  </div>`;
}

/** @param {{position: MindPosition, at: number, count: number, open: boolean,
 *   lay: (at: number, count: number) => void}} props */
function Bet({ position: { game, picks }, at, count, open, lay }) {
  const table = useGame(game);
  const { pick, name } = picks[at];
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const to = keyed(event.key, count);
    if (to === null) return;
    event.preventDefault();
    lay(at, to);
  };
  const take = () => lay(at, count - 1);
  const drag = useDrag({ tap: take, drop: (onto) => onto !== String(at) && take(), idle: !open });
  return html`<div class="today-bet" data-drop=${at}>
    <div class="today-card" aria-hidden="true" onClick=${() => lay(at, count + 1)}>
      ${table && html`<${table.Pick} pick=${pick} size="card" words=${wordsOf(game)} />`}
    </div>
    <div class="today-stack" aria-hidden="true" style=${{ "--chips": count }} ...${drag}>
      <${Stack} count=${count} />${!open && html`<${Seal} class="today-wax" />`}
    </div>
    <div
      class="today-count display numbers"
      role="spinbutton"
      tabindex="0"
      aria-label=${name}
      aria-valuemin="0"
      aria-valuemax=${ALL}
      aria-valuenow=${count}
      aria-valuetext=${say("of_ten", { chips: count })}
      aria-readonly=${!open}
      onKeyDown=${press}
    >
      ${count}
    </div>
    <div class="today-less-more" hidden=${!open}>
      <button aria-label=${say("less", { name })} disabled=${count === 0} onClick=${() => lay(at, count - 1)}>
        <span aria-hidden="true">−</span>
      </button>
      <button aria-label=${say("more", { name })} disabled=${count === ALL} onClick=${() => lay(at, count + 1)}>
        <span aria-hidden="true">+</span>
      </button>
    </div>
  </div>`;
}

/** The number that a key leads to; null if it leads nowhere. @param {string} key @param {number} count */
function keyed(key, count) {
  if (/^\d$/.test(key)) return Number(key);
  /** @type {Record<string, number>} */
  const steps = {
    ArrowUp: 1,
    ArrowRight: 1,
    ArrowDown: -1,
    ArrowLeft: -1,
    PageUp: 3,
    PageDown: -3,
    Home: -ALL,
    End: ALL,
  };
  return key in steps ? count + steps[key] : null;
}

/** Chips of bone, one on the other; the last one follows a finger. @param {{count: number}} props */
function Stack({ count }) {
  const high = FLAT + THICK * ALL;
  return html`<svg viewBox=${`-2 -2 ${WIDE + 4} ${high + 4}`}>
    ${Array.from({ length: count }, (_, place) => {
      const top = high - FLAT - THICK * (place + 1) + FLAT / 2;
      return html`<g key=${place} class=${place === count - 1 ? "today-top" : ""}>
        <path
          class="today-edge"
          d=${`M0 ${top}V${top + THICK}A${WIDE / 2} ${FLAT / 2} 0 0 0 ${WIDE} ${top + THICK}V${top}Z`}
        />
        <ellipse class="today-chip" cx=${WIDE / 2} cy=${top} rx=${WIDE / 2} ry=${FLAT / 2} />
        <ellipse class="today-ring" cx=${WIDE / 2} cy=${top} rx=${WIDE / 3.2} ry=${FLAT / 3.6} />
      </g>`;
    })}
  </svg>`;
}
