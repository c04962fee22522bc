// Coach of the first game: one short hint at a time over the table, which never holds up the game.

import { html, useEffect } from "../html.js";
import { endGuide, guides, hintFor, hintRead } from "../state/guide.js";
import { t } from "../words.js";

/** @import { GameTable, Hint, Sight, Words } from "../contract.js" */

/** @param {{sight: Sight, game: GameTable|null, words: Words}} props */
export function Coach({ sight, game, words }) {
  const name = sight.table.game;
  const hint = hintFor(guides.value, sight, game);
  const hints = /** @type {Hint[]} */ (game?.hints ?? []);
  const next = () => hint && hintRead(name, hint.id, hints);
  useEffect(() => {
    if (!hint) return undefined;
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog:modal")) next();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [hint?.id]);
  return html`<aside class="coach" aria-label=${t("guide.label")}>
    <div class=${hint ? "coach-hint" : ""}>
      <p aria-live="polite">${hint && words(`guide.${hint.id}`, hint.params?.(sight))}</p>
      ${
        hint &&
        html`<div class="coach-acts">
          <button class="button first" onClick=${next}>${t("guide.next")}</button>
          <button class="link" onClick=${() => endGuide(name)}>${t("guide.skip")}</button>
        </div>`
      }
    </div>
  </aside>`;
}
