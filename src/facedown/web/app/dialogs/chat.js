// Chat dialog: what was said at the table, emotes, ready-made phrases, and a field to write in.

import { chatText } from "../frame/narration.js";
import { html, useEffect, useState } from "../html.js";
import { Name } from "../parts/elements.js";
import { EMOTES, Emote, isEmote } from "../parts/emotes.js";
import { markRead } from "../state/unread.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { Sight } from "../contract.js" */

const PRESETS = ["hello", "good_luck", "well_played", "thanks", "one_moment", "sorry"];

/** @param {{sight: Sight, say: (text: string) => void, preset: (name: string) => void,
 *   close: () => void}} props */
export function ChatDialog({ sight, say, preset, close }) {
  const [text, setText] = useState("");
  useEffect(() => markRead(sight.table), [sight.table.said]);
  /** @param {Event} event */
  const send = (event) => {
    event.preventDefault();
    if (text.trim()) say(text.trim());
    setText("");
  };
  /** Back to the table, where it is seen. @param {string} name */
  const show = (name) => () => {
    preset(name);
    close();
  };
  return html`<${Dialog} class="drawer" label=${t("chat.title")} close=${close}>
    <div class="sheet-head">
      <h2>${t("chat.title")}</h2><button class="button second" onClick=${close}>${t("close")}</button>
    </div>
    <ol class="log">
      ${sight.table.said.map(
        (each) => html`<li>
          <b><${Name}>${each.name || t("chat.spectator")}<//></b>
          ${isEmote(each.preset) ? html` <${Emote} of=${each.preset} />` : html` <bdi>${chatText(each)}</bdi>`}
        </li>`,
      )}
    </ol>
    <div class="row emotes" role="group" aria-label=${t("chat.emotes")}>
      ${EMOTES.map((name) => html`<button class="emote-button" onClick=${show(name)}><${Emote} of=${name} /></button>`)}
    </div>
    <div class="row">
      ${PRESETS.map(
        (name) => html`<button class="button second small" onClick=${show(name)}>
          ${t(`chat.${name}`)}
        </button>`,
      )}
    </div>
    <form class="row" onSubmit=${send}>
      <input
        type="text"
        autofocus
        maxlength="280"
        autocomplete="off"
        enterkeyhint="send"
        aria-label=${t("chat.say")}
        placeholder=${t("chat.say")}
        value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.target.value)}
      />
      <button class="button first" type="submit">${t("chat.send")}</button>
    </form>
  <//>`;
}
