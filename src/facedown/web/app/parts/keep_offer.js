// The offer to keep the account: one line, once, on the ending of the third game that was finished in this browser.

import { html, useEffect, useState } from "../html.js";
import { get } from "../net/api.js";
import { place } from "../net/place.js";
import { read, write } from "../storage.js";
import { t } from "../words.js";
import { Link } from "./elements.js";

const AFTER = 3;

/** Whether this is the ending on which the offer is made; from the first one on, home is that of a player.
 * @param {string} table */
function isDue(table) {
  write("played", true);
  /** @type {string[]} */
  const finished = read("finished", []);
  if (finished.length < AFTER && !finished.includes(table)) finished.push(table);
  write("finished", finished);
  return finished.indexOf(table) === AFTER - 1;
}

/** @param {{table: string}} props a table at which this player has just finished a game */
export function KeepOffer({ table }) {
  const [offered, setOffered] = useState(false);
  useEffect(() => {
    if (!isDue(table) || place.value !== "server") return;
    get("/account").then(
      ({ may_keep }) => setOffered(may_keep),
      () => {}, // then it stays in the settings
    );
  }, [table]);
  return (
    offered &&
    html`<p class="ending-keep small soft">
      ${t("keep.offer")} <${Link} class="link" href="/account">${t("keep.this")}<//>
    </p>`
  );
}
