// Navigation bar of every screen but the table's: the name of the site, and links to the other screens.

import { html } from "../html.js";
import { route } from "../router.js";
import { t } from "../words.js";
import { Link } from "./elements.js";
import { Seal } from "./marks.js";

const PLACES = ["rules", "people", "settings"];

/** @param {{title?: string}} props */
export function Bar({ title = "Facedown" }) {
  const { screen } = route.value;
  return html`<header class="bar">
    <div class="brand">
      <${Link} href="/" aria-label=${t("bar.home")}><${Seal} /><span class="display">${title}</span><//>
    </div>
    <nav aria-label=${t("bar.nav")}>
      ${PLACES.map(
        (place) => html`<${Link} href=${`/${place}`} aria-current=${screen === place ? "page" : undefined}>
          ${t(`bar.${place}`)}
        <//>`,
      )}
    </nav>
  </header>`;
}
