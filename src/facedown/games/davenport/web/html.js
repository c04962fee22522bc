// Markup as tagged templates, and the one place where shared drawings (gradients, patterns) enter the page.
import htm from "htm";
import { h, render } from "preact";

export const html = htm.bind(h);

/** Puts what drawings refer to into the document, once.
 * @param {string} id @param {() => any} Shades */
export function provide(id, Shades) {
  if (document.getElementById(id)) return;
  const holder = document.createElement("div");
  holder.id = id;
  holder.style.position = "absolute";
  render(html`<svg width="0" height="0" aria-hidden="true"><defs><${Shades} /></defs></svg>`, holder);
  document.body.append(holder);
}
