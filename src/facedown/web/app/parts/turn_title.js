// The tab's title and icon say when it is your turn.

import { useEffect } from "../html.js";
import { gameWord, t } from "../words.js";

/** @import { Sight } from "../contract.js" */

/** @param {Sight} sight */
export function useTurnTitle({ table, seat, mayPick, turn }) {
  const title = gameWord(table.game, "title", table.title);
  const due = mayPick || (seat > 0 && turn?.may_seal?.includes(seat) === true && table.state === "playing");
  useEffect(() => {
    document.title = due ? `● ${t("home.your_turn")} – ${title}` : `${title} – Facedown`;
    const icon = /** @type {HTMLLinkElement|null} */ (document.getElementById("icon"));
    if (icon) icon.href = import.meta.resolve(due ? "/app/icons/seal-due.svg" : "/app/icons/seal.svg");
  }, [due, title]);
}
