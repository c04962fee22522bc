// The live region: says in words what has just happened, for whoever does not see it.

import { html, useEffect, useState } from "../html.js";
import { t } from "../words.js";
import { told } from "./telling.js";

/** @import { Company } from "../state/company.js" */
/** @import { GameTable, Telling } from "../contract.js" */

const LAST = 4; // a game that goes on from another one is dealt with all that happened there; the log has it

/** @param {{company: Company, game: GameTable|null,
 *   telling: Telling}} props */
export function Live({ company, game, telling }) {
  const [said, setSaid] = useState("");
  const heard = company.heard.value;
  useEffect(() => {
    if (!heard || !game) return;
    const sentences = told(/** @type {any} */ (heard.frame), game, telling).map((each) => each.say);
    const words = (heard.frame.k === "dealt" ? sentences.slice(-LAST) : sentences).join(" ");
    if (words) setSaid(words);
  }, [heard, game]);
  return html`<div class="unseen" role="log" aria-live="polite" aria-label=${t("live.label")}>${said}</div>`;
}
