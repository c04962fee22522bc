// Small sheets over a table: why something happened, what the keys do, whether one really wants to resign.

import { html } from "../html.js";
import { get } from "../net/api.js";
import { Link } from "../router.js";
import { t } from "../words.js";
import { marked } from "./rule_page.js";
import { Sheet } from "./sheet.js";
import { useAsked } from "./use.js";

/** @import { Words } from "../contract.js" */

/** The rule sentences behind an outcome. @param {{game: string, rules: string, ids: string[], sentence: string,
 *   close: () => void}} props */
export function WhySheet({ game, rules, ids, sentence, close }) {
  const path = `/games/${game}/rules?rules=${encodeURIComponent(rules)}`;
  const { value } = useAsked(() => get(path), [path]);
  return html`<${Sheet} label=${t("why")} close=${close}>
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
export function KeysSheet({ words, close }) {
  const own = words("keys");
  const lines = [...(own === "keys" ? [] : own.split("\n")), ...t("keys.shell").split("\n")];
  const keys = lines.map((line) => line.split(/:\s*/, 2));
  return html`<${Sheet} label=${t("keys.title")} close=${close}>
    <h2>${t("keys.title")}</h2>
    <dl class="keys">${keys.map(([key, means]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${means}</dd></div>`)}</dl>
    <div class="row"><button class="button first" onClick=${close}>${t("close")}</button></div>
  <//>`;
}

/** @param {{resign: () => void, close: () => void}} props */
export function ResignSheet({ resign, close }) {
  const really = () => {
    resign();
    close();
  };
  return html`<${Sheet} label=${t("resign.title")} close=${close}>
    <h2>${t("resign.title")}</h2>
    <p>${t("resign.say")}</p>
    <div class="row">
      <button class="button first" onClick=${close}>${t("resign.stay")}</button>
      <button class="button second" onClick=${really}>${t("resign.really")}</button>
    </div>
  <//>`;
}
