// The log of a table, and its talk: two sheets of sentences.

import { html, useState } from "../html.js";
import { joined, past } from "../state/past.js";
import { t } from "../words.js";
import { Name } from "./name.js";
import { Sheet } from "./sheet.js";
import { saidText, told } from "./telling.js";
import { useAsked } from "./use.js";

/** @import { Company } from "../state/company.js" */
/** @import { GameTable, Sight, Telling } from "../contract.js" */

const PRESETS = ["hello", "good_luck", "well_played", "thanks", "one_moment", "sorry"];

/** @param {{company: Company, sight: Sight,
 *   game: GameTable|null, telling: Telling,
 *   why: (ids: string[], sentence: string) => void, close: () => void}} props */
export function LogSheet({ company, game, telling, why, close }) {
  const { table, seat, known } = company.active();
  const { value: earlier } = useAsked(() => past(table, seat), [table, seat]);
  const sentences = joined(earlier ?? [], known.value.log)
    .filter(({ k }) => k !== "sealed")
    .flatMap((event) => told(event, game, telling))
    .reverse();
  return html`<${Sheet} class="drawer" label=${t("log.title")} close=${close}>
    <div class="sheet-head">
      <h2>${t("log.title")}</h2><button class="button second" onClick=${close}>${t("close")}</button>
    </div>
    ${sentences.length === 0 && html`<p class="empty">${t("log.empty")}</p>`}
    <ol class="log">
      ${sentences.map(
        ({ say, rules }) =>
          html`<li>
            <bdi>${say}</bdi> ${
              rules.length > 0 && html`<button class="link small" onClick=${() => why(rules, say)}>${t("why")}</button>`
            }
          </li>`,
      )}
    </ol>
  <//>`;
}

/** @param {{sight: Sight, say: (text: string) => void, preset: (name: string) => void,
 *   close: () => void}} props */
export function TalkSheet({ sight, say, preset, close }) {
  const [text, setText] = useState("");
  /** @param {Event} event */
  const send = (event) => {
    event.preventDefault();
    if (text.trim()) say(text.trim());
    setText("");
  };
  return html`<${Sheet} class="drawer" label=${t("talk.title")} close=${close}>
    <div class="sheet-head">
      <h2>${t("talk.title")}</h2><button class="button second" onClick=${close}>${t("close")}</button>
    </div>
    <ol class="log">
      ${sight.table.said.map(
        (each) => html`<li>
          <b><${Name}>${each.name || t("talk.spectator")}<//></b> <bdi>${saidText(each)}</bdi>
        </li>`,
      )}
    </ol>
    <div class="row">
      ${PRESETS.map(
        (name) => html`<button class="button second small" onClick=${() => preset(name)}>
          ${t(`talk.${name}`)}
        </button>`,
      )}
    </div>
    <form class="row" onSubmit=${send}>
      <input
        type="text"
        maxlength="280"
        aria-label=${t("talk.say")}
        placeholder=${t("talk.say")}
        value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.target.value)}
      />
      <button class="button first" type="submit">${t("talk.send")}</button>
    </form>
  <//>`;
}
