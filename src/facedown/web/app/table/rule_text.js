// Rule sentences: a game's rules page cut into sections, their inline marks, and the answer of a rule example.

import { html } from "../html.js";

/** @param {string} page @param {Record<string, string>} sentences
 * @returns {{heading: string, rules: string[]}[]} */
export function sections(page, sentences) {
  /** @type {{heading: string, rules: string[]}[]} */
  const found = [];
  for (const line of page.split("\n")) {
    const heading = /^#{2,3} (.+)$/.exec(line);
    if (heading) found.push({ heading: heading[1].trim(), rules: [] });
    for (const [, id] of line.matchAll(/\*\*([A-Z]{1,3}[0-9]{1,3})\*\*/g)) {
      if (id in sentences) found[found.length - 1]?.rules.push(id);
    }
  }
  return found.filter((each) => each.rules.length > 0);
}

/** The paragraphs before the first section: what the game is about. @param {string} page @returns {string[]} */
export function introduction(page) {
  const [start] = page.split(/^## /m);
  return start
    .split(/\n{2,}/)
    .map((each) => each.replace(/\s*\n\s*/g, " ").trim())
    .filter((each) => each && !each.startsWith("#"));
}

/** A sentence begins with a capital. @param {string} sentence */
export const opened = (sentence) => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);

/** `code` and *emphasis* in a sentence, and nothing else. @param {string} sentence */
export function renderMarks(sentence) {
  return sentence.split(/(`[^`]+`|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    return part;
  });
}

/** @param {{rules: string[], text: string}} props */
export function Answer({ rules, text }) {
  return html`<p class="example-answer" role="status">
    ${text ? html`${text} ${rules.map((rule) => html`<a class="example-rule" href=${`#${rule}`}>${rule}</a> `)}` : null}
  </p>`;
}
