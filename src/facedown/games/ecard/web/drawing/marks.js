// Small marks of 16 × 16 in the colour of the text around them: the three cards, and a dot of wax.

import { html, memo } from "/app/html.js";
import { lump } from "/app/table/card_back.js";

const BROKEN = "M7 4.4L8.2 3.2A3.25 3.25 0 0 1 12.8 7.8L11.6 9M9 11.6L7.8 12.8A3.25 3.25 0 0 1 3.2 8.2L4.4 7";

/** @type {Record<string, () => any>} */
const DRAWN = {
  E: () => html`
    <path d="M1 4.6C2.4 7.2 3.6 7 4.6 3.2C5.8 6.4 7 6 8 2C9 6 10.2 6.4 11.4 3.2C12.4 7 13.6 7.2 15 4.6L13.6 11H2.4Z" />
    <rect x="2.4" y="12.2" width="11.2" height="1.9" rx=".6" />
  `,
  C: () =>
    html`<path d="M3.4 3H12.6Q13.2 6 15.6 8.4H.4Q2.8 6 3.4 3Z" /><path d="M2.4 9.6H13.6V14H9.8V10.9H6.2V14H2.4Z" />`,
  S: () => html`<g fill="none" stroke="currentColor" stroke-linecap="round">
    <path d=${BROKEN} stroke-width="2" />
    <path d="M5.6 1.6L6 3M2 5.4L3.3 5.8M10.4 14.4L10 13M14 10.6L12.7 10.2" stroke-width="1.3" />
  </g>`,
  wax: () => html`<path d=${lump(8, 8, 6.6)} fill="#c8321f" /><circle cx="8" cy="8" r="4.5" fill="#a82613" />`,
  open: () =>
    html`<circle
      cx="8"
      cy="8"
      r="6"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-dasharray="2.4 2.3"
    />`,
};

/** @param {{of: string}} props */
function Drawn({ of }) {
  return html`<svg class="ec-mark" data-mark=${of} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
    <${DRAWN[of] ?? DRAWN.wax} />
  </svg>`;
}

export const Mark = memo(Drawn);
