// Emotes: six faces that need no words, drawn in the colour of the text around them.

import { html } from "../html.js";
import { t } from "../words.js";

const EYES = "M8.500 9.700V10.300M15.500 9.700V10.300";
const CLOSED = "M7 10.200C7.800 9.200 9.200 9.200 10 10.200M14 10.200C14.800 9.200 16.200 9.200 17 10.2";

/** What is drawn inside the face. @type {Record<string, string>} */
const FACES = {
  smile: `${EYES}M7.500 14C9 17 15 17 16.500 14`,
  laugh: `${CLOSED}M7 13.500H17C16.500 18.500 7.500 18.500 7 13.500Z`,
  wink: "M8.500 9.700V10.300M14 10.200H17M7.500 14C9 17 15 17 16.500 14",
  wow: `${EYES}M6.800 6.800L9.400 6.200M17.200 6.800L14.600 6.200M12 13.200A2 2.300 0 1 0 12.010 13.200`,
  think: `${EYES}M14.500 6.400L17.300 7.400M9 15.800L15 14.600`,
  cry: `${CLOSED}M8 17.200C9.500 14.600 14.500 14.600 16 17.200M6.900 12.500C5.600 14.700 7.900 15.400 7.400 13.500Z`,
};

/** The names of all emotes, in the order in which they are offered. */
export const EMOTES = Object.keys(FACES);

/** @param {unknown} preset */
export const isEmote = (preset) => typeof preset === "string" && EMOTES.includes(preset);

/** One emote with its name for those who cannot see it. @param {{of: string}} props */
export const Emote = ({ of }) => html`<svg
  class="emote"
  viewBox="0 0 24 24"
  role="img"
  aria-label=${t(`chat.${of}`)}
  fill="none"
  stroke="currentColor"
  stroke-width="1.6"
  stroke-linecap="round"
  stroke-linejoin="round"
>
  <circle cx="12" cy="12" r="10" /><path d=${FACES[of]} />
</svg>`;
