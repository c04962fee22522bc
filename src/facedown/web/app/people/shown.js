// What others see of one's page: a switch for each part, saved at once.

import { html, useState } from "../html.js";
import { ask } from "../net/api.js";
import { ErrorNotice, Link } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { say } from "./words.js";

/** @import { OwnPage } from "../net/rest.js" */

const PARTS = /** @type {OwnPage["shows"]} */ (["page", "rating", "results", "rivals", "games"]);

/** @param {{page: OwnPage|null}} props */
export function ShownParts({ page }) {
  const [shows, setShows] = useState(page?.shows ?? []);
  const save = useWork(async (/** @type {OwnPage["shows"]} */ wanted) => {
    setShows(wanted);
    try {
      setShows((await ask("PUT", "/people/me/page", { shows: wanted })).shows);
    } catch (error) {
      setShows(shows);
      throw error;
    }
  });
  if (!page)
    return html`<section class="panel shown-parts">
      <h2>${say("shown.title")}</h2>
      <p>${say("shown.nothing")}</p>
      <p class="gap-before"><${Link} class="button second" href="/account">${say("shown.keep")}<//></p>
    </section>`;
  const on = shows.includes("page");
  return html`<section class="panel shown-parts">
    <h2>${say("shown.title")}</h2>
    <p class="small soft">${say(on ? "shown.say" : "shown.off")}</p>
    ${PARTS.filter((part) => on || part === "page").map(
      (part) => html`<label key=${part}>
        <input
          type="checkbox"
          checked=${shows.includes(part)}
          onChange=${() => save.run(PARTS.filter((each) => shows.includes(each) !== (each === part)))}
        />
        <span>${say(`shown.${part}`)}<small>${say(`shown.${part}.say`)}</small></span>
      </label>`,
    )}
    <${ErrorNotice} error=${save.error} />
  </section>`;
}
