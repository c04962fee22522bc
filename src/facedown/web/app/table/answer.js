// What an example answers: a sentence, and the rule that says so.
import { html } from "../html.js";

/** @param {{rules: string[], text: string}} props */
export function Answer({ rules, text }) {
  return html`<p class="example-answer" role="status">
    ${text ? html`${text} ${rules.map((rule) => html`<a class="example-rule" href=${`#${rule}`}>${rule}</a> `)}` : null}
  </p>`;
}
