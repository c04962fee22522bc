// Chat dialog: what was said at the table, emotes, ready-made phrases, and a field to write in.

import { chatText } from "../frame/narration.js";
import { html, useEffect, useState } from "../html.js";
import { Name } from "../parts/elements.js";
import { EMOTES, Emote, isEmote } from "../parts/emotes.js";
import { PersonMenu } from "../parts/person_menu.js";
import { markRead } from "../state/unread.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { Sight } from "../contract.js" */

const PRESETS = ["hello", "good_luck", "well_played", "thanks", "one_moment", "sorry"];

/** @param {{sight: Sight, say: (text: string) => void, preset: (name: string) => void,
 *   switchChat: (on: boolean) => void, close: () => void}} props */
export function ChatDialog({ sight, say, preset, switchChat, close }) {
  const { table } = sight;
  const [text, setText] = useState("");
  const [unheard, setUnheard] = useState(/** @type {string[]} */ ([])); // muted just now: the server sends no more
  const others = table.seats.filter((each) => each.commit && each.taken && !table.yours.includes(each.seat));
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
      ${table.said
        .filter((each) => !unheard.includes(voiceOf(each)))
        .map(
          (each) => html`<li key=${each.v}>
            <b><${Name}>${each.name || t("chat.spectator")}<//></b>
            ${isEmote(each.preset) ? html` <${Emote} of=${each.preset} />` : html` <bdi>${chatText(each)}</bdi>`}
            ${
              (each.v ?? 0) > 0 &&
              !table.yours.includes(each.seat) &&
              html`<${PersonMenu}
                name=${each.name || t("chat.spectator")}
                table=${table.id}
                whom=${{ message: each.v }}
                done=${() => setUnheard([...unheard, voiceOf(each)])}
              />`
            }
          </li>`,
        )}
    </ol>
    ${
      others.length > 0 &&
      html`<details class="people-here">
        <summary>${t("chat.people")}</summary>
        <ul class="plain">
          ${others.map(
            (each) => html`<li key=${each.seat}>
              <b><${Name}>${each.name}<//></b>
              <${PersonMenu} name=${each.name} table=${table.id} whom=${{ seat: each.seat }} />
            </li>`,
          )}
        </ul>
      </details>`
    }
    ${
      table.host_is_you &&
      html`<p>
        <button class="link" onClick=${() => switchChat(table.chat === false)}>
          ${t(table.chat === false ? "chat.switch_on" : "chat.switch_off")}
        </button>
      </p>`
    }
    ${
      table.chat === false
        ? html`<p class="quiet" role="status">${t("chat.off")}</p>`
        : html`<${Talk} text=${text} setText=${setText} send=${send} show=${show} />`
    }
  <//>`;
}

/** Who speaks, as far as a message says. @param {{seat: number, name: string}} said */
const voiceOf = ({ seat, name }) => `${seat} ${name}`;

/** Emotes, ready-made phrases, and a field to write in. @param {{text: string, setText: (text: string) => void,
 *   send: (event: Event) => void, show: (name: string) => () => void}} props */
function Talk({ text, setText, send, show }) {
  return html`
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
  `;
}
