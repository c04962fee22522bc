// Icons of the shell: the wax seal (its logo) and a few signs, in the colour of the text around them.

import { html } from "../html.js";
import { faceUrl, isResident } from "../state/opponents.js";
import { lump } from "../table/card_back.js";

/** @import { GameInfo } from "../net/rest.js" */

const LID = "M4.8 7.2C6.2 8.9 9.8 8.9 11.2 7.2M5.9 8.1L5.2 9.1M7.2 8.5L7 9.7M8.8 8.5L9 9.7M10.1 8.1L10.8 9.1";
const LUMP = lump(8, 8, 7.2);

/** The seal: something is sealed, or waits for you. @param {{class?: string}} props */
export function Seal({ class: name = "brand-seal" }) {
  return html`<svg class=${name} viewBox="0 0 16 16" aria-hidden="true">
    <path d=${LUMP} fill="#c8321f" /><circle cx="8" cy="8" r="5.3" fill="#a92714" />
    <path d="M2.9 6.6A5.4 5.4 0 0 1 7 2.5" fill="none" stroke="#e9826c" stroke-width=".45" stroke-linecap="round" />
    <path d="M13.3 8A5.3 5.3 0 0 1 4.3 11.8" fill="none" stroke="#e0664f" stroke-width=".35" />
    <path d=${LID} fill="none" stroke="#7d1c0d" stroke-width=".75" stroke-linecap="round" />
    <path
      d=${LID}
      fill="none"
      stroke="#ea8a74"
      stroke-width=".28"
      stroke-linecap="round"
      transform="translate(0 .25)"
    />
  </svg>`;
}

/** @type {Record<string, string>} */
const SIGNS = {
  link: "M6.6 9.4L9.4 6.6M7.4 4.8L9 3.2A2.7 2.7 0 0 1 12.8 7L11.2 8.6M8.6 11.2L7 12.800A2.7 2.7 0 0 1 3.2 9L4.8 7.4",
  swap: "M2.5 5.500H13M10.5 3L13 5.500M13.5 10.500H3M5.5 13L3 10.5",
  menu: "M1.5 5H14.500M1.5 11H14.5",
  more: "M3 8H3.010M8 8H8.010M13 8H13.01",
  tick: "M2.5 8.500L6 12L13.5 4",
  cross: "M3.5 3.500L12.5 12.500M12.5 3.500L3.5 12.5",
  unknown: "M5.5 5.500A2.5 2.5 0 1 1 8 8.500V9.500M8 12.500H8.01",
  back: "M9.5 3.500L5 8L9.5 12.5",
  on: "M6.5 3.500L11 8L6.5 12.5",
  talk: "M2 3.500H14V11H7L3.5 13.500V11H2Z",
  sound: "M2 6H4.5L8 3V13L4.500 10H2ZM10.5 5.800A3 3 0 0 1 10.5 10.200M12.5 3.600A6 6 0 0 1 12.5 12.4",
  muted: "M2 6H4.5L8 3V13L4.500 10H2ZM10.5 6L14.5 10M14.5 6L10.5 10",
  bell: "M3 11.500H13L11.500 9.500V7A3.5 3.5 0 0 0 4.5 7V9.500ZM6.8 13.500A1.3 1.3 0 0 0 9.2 13.5",
  people:
    "M8.5 5A2.5 2.5 0 1 1 3.500 5A2.5 2.5 0 1 1 8.500 5M1.5 13A4.500 4.5 0 0 1 10.5 13M10.5 3A2.5 2.5 0 0 1 10.5 7",
  copy: "M6 5H14V14H6ZM3 11H2V2H10V3",
  print: "M4.500 6V2H11.500V6M4.500 11H2V6H14V11H11.500M4.500 9H11.500V14H4.500Z",
  phone: "M4.500 1.500H11.500V14.500H4.500ZM7.500 12.300H8.5",
  computer: "M3.500 3.500H12.500V10.500H3.500ZM1.500 13H14.5",
  program: "M2 3H14V13H2ZM4.500 6L6.500 8L4.500 10M8.500 10H11.5",
  share: "M8 10V1.5M4.8 4.5L8 1.5L11.2 4.5M5 7H2.5V14.5H13.5V7H11",
  eye: "M1.5 8C4 3.8 12 3.8 14.5 8C12 12.2 4 12.2 1.5 8ZM8 6A2 2 0 1 0 8 10A2 2 0 1 0 8 6",
};

/** @param {{of: string, class?: string}} props */
export function Sign({ of, class: name = "sign" }) {
  return html`<svg
    class=${name}
    viewBox="0 0 16 16"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d=${SIGNS[of]} />
  </svg>`;
}

/** The small portrait of a character of the house; its name stands beside it. @param {{game: string, machine: string,
 *   mood?: ""|"hit"|"pleased"}} props */
export const Face = ({ game, machine, mood }) =>
  html`<img class="face" src=${faceUrl(game, machine, mood)} alt="" width="40" height="40" />`;

/** The faces of these machines in a row; none for those without one.
 * @param {{game: GameInfo, machines: string[]}} props */
export function Faces({ game, machines }) {
  const shown = machines.filter((each) => isResident(game, each));
  return (
    shown.length > 0 &&
    html`<span class="faces">
      ${shown.map((each) => html`<${Face} key=${each} game=${game.name} machine=${each} />`)}
    </span>`
  );
}
