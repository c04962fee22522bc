// Help dialogs of a table: how to play, the rules behind an outcome (why?), and the keyboard shortcuts.

import { html } from "../html.js";
import { get } from "../net/api.js";
import { Link } from "../parts/elements.js";
import { useAsked } from "../parts/hooks.js";
import { Lessons } from "../parts/lessons.js";
import { marked } from "../table/rule_text.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { GameTable, Words } from "../contract.js" */

/** The rule sentences behind an outcome. @param {{game: string, rules: string, ids: string[], sentence: string,
 *   close: () => void}} props */
export function WhyDialog({ game, rules, ids, sentence, close }) {
  const path = `/games/${game}/rules?rules=${encodeURIComponent(rules)}`;
  const { value } = useAsked(() => get(path), [path]);
  return html`<${Dialog} label=${t("why")} close=${close}>
    <h2>${sentence || t("why")}</h2>
    <dl class="why">
      ${ids.map(
        (id) => html`<div><dt class="numbers">${id}</dt><dd>${marked(value?.sentences?.[id] ?? "…")}</dd></div>`,
      )}
    </dl>
    <div class="row">
      <button class="button first" onClick=${close}>${t("close")}</button>
      <${Link} class="link" href=${`/rules/${game}`}>${t("why.all")}<//>
    </div>
  <//>`;
}

/** @param {{words: Words, close: () => void}} props */
export function KeysDialog({ words, close }) {
  const own = words("keys");
  const lines = [...(own === "keys" ? [] : own.split("\n")), ...t("keys.shell").split("\n")];
  const keys = lines.map((line) => line.split(/:\s*/, 2));
  return html`<${Dialog} label=${t("keys.title")} close=${close}>
    <h2>${t("keys.title")}</h2>
    <dl class="keys">${keys.map(([key, means]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${means}</dd></div>`)}</dl>
    <div class="row"><button class="button first" onClick=${close}>${t("close")}</button></div>
  <//>`;
}

/** The pictures of *How to play*, without leaving the table.
 * @param {{name: string, rules: string, game: GameTable, words: Words, close: () => void}} props */
export function HowToPlayDialog({ name, rules, game, words, close }) {
  return html`<${Dialog} class="how-to-play" label=${t("rules.how")} close=${close}>
    <h2>${t("rules.how")}</h2>
    <${Lessons} game=${game} words=${words} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("close")}</button>
      <${Link} class="link" href=${`/rules/${name}?rules=${encodeURIComponent(rules)}`}>${t("rules.exact")}<//>
    </div>
  <//>`;
}
