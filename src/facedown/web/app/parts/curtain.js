// Pass and play: between two seats the table is covered, so that nobody sees another's hand.

import { html } from "../html.js";
import { t } from "../words.js";
import { Seal } from "./marks.js";
import { Sheet } from "./sheet.js";

/** @param {{name: string, lift: () => void}} props */
export function Curtain({ name, lift }) {
  return html`<${Sheet} class="curtain" firm label=${t("curtain.label")} close=${lift}>
    <div class="curtain-middle">
      <${Seal} class="curtain-seal" />
      <h2><bdi>${t("curtain.hand_to", { name })}</bdi></h2>
      <p class="quiet">${t("curtain.nobody_else")}</p>
      <button class="button first big" onClick=${lift}>${t("curtain.lift", { name })}</button>
    </div>
  <//>`;
}
