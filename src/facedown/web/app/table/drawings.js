// The one place where what drawings refer to (gradients, patterns, clips) enters the page.
import { html, render } from "../html.js";

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
