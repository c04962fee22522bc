// Chat, beside the table where there is room: what was said there, emotes, ready-made phrases, a field to write in, and
// a menu for each person.

import { chatText } from "../frame/narration.js";
import { html, onSubmit, onValue, useEffect, useElement, useRef, useState } from "../html.js";
import { checkAccount, checkSanctions, isDecision, sanctionOf } from "../net/account.js";
import { Button, ErrorNotice, Name, Sanction } from "../parts/elements.js";
import { EMOTES, Emote, isEmote } from "../parts/emotes.js";
import { Choices, namedValues } from "../parts/fields.js";
import { useWork } from "../parts/hooks.js";
import { relate, report } from "../state/relations.js";
import { markRead } from "../state/unread.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @import { TableDialogProps } from "./dialog.js" */
/** @import { Whom } from "../state/relations.js" */

const PRESETS = ["hello", "good_luck", "well_played", "thanks", "one_moment", "sorry"];

/** @param {TableDialogProps} props */
export function ChatDialog({ screenSeats, sight, act, close, beside = false }) {
  const { table } = sight;
  const [text, setText] = useState("");
  const [unheard, setUnheard] = useState(/** @type {string[]} */ ([])); // muted just now: the server sends no more
  const others = table.seats.filter((each) => each.commit && each.taken && !table.yours.includes(each.seat));
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const muted = sanctionOf("closed") ?? sanctionOf("no_chat");
  useEffect(() => markRead(sight.table), [sight.table.said]);
  useEffect(() => void checkAccount(), []);
  /** @param {() => Promise<void>} work @param {() => void} [otherwise] */
  const attempt = async (work, otherwise = () => {}) => {
    setRefused(null);
    try {
      await work();
    } catch (refusal) {
      otherwise();
      if (isDecision(refusal)) await checkSanctions(); // it has a line of its own here
      setRefused(refusal);
    }
  };
  /** Words that the table refuses come back into the field. */
  const send = () => {
    const words = text.trim();
    setText("");
    if (!words) return;
    attempt(
      () => act.say(words),
      () => setText((typed) => typed || words),
    );
  };
  /** Sends an emote or phrase, and shows the table if it is covered. @param {string} name */
  const show = (name) => () =>
    attempt(async () => {
      await act.preset(name);
      if (!beside) close();
    });
  /** @param {boolean} on */
  const switchChat = (on) =>
    screenSeats
      .speaker()
      .do({ do: "chat", on })
      .catch(() => {});
  return html`<${Dialog} class="drawer" label=${t("chat.title")} close=${close} beside=${beside}>
    <div class="wrap sheet-head">
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
      (others.length > 0 || table.host_is_you) &&
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
        ${table.host_is_you && html`<${ChatSwitch} on=${table.chat !== false} turn=${switchChat} />`}
      </details>`
    }
    ${refused && !muted && html`<${ErrorNotice} error=${refused} restricts="no_chat" />`}
    ${
      table.chat === false
        ? html`<p class="quiet" role="status">${t("chat.off")}</p>`
        : muted
          ? html`<p class="no-chat" role="status"><${Sanction} of=${muted} /></p>`
          : html`<${Talk} text=${text} setText=${setText} send=${send} show=${show} />`
    }
  <//>`;
}

/** For the host: whether anyone may write here. Switching it off ends the chat for everyone, and so asks first.
 * @param {{on: boolean, turn: (on: boolean) => void}} props */
function ChatSwitch({ on, turn }) {
  const [asks, ask] = useState(false);
  const box = useElement();
  useEffect(() => ask(false), [on]);
  useEffect(() => {
    // the button that was pressed is gone
    if (document.activeElement === document.body) box.current?.querySelector("button")?.focus();
  }, [asks, on]);
  return html`<div class="chat-switch" role="group" aria-label=${t("chat.title")} ref=${box}>
    ${
      on && asks
        ? html`
          <p>${t("chat.switch_off.says")}</p>
          <div class="row">
            <button class="button second small" onClick=${() => ask(false)}>${t("chat.switch_off.keep")}</button>
            <button class="button second small" onClick=${() => turn(false)}>${t("chat.switch_off.really")}</button>
          </div>
        `
        : html`<button class="button second small" onClick=${() => (on ? ask(true) : turn(true))}>
          ${t(on ? "chat.switch_off" : "chat.switch_on")}
        </button>`
    }
  </div>`;
}

/** Key of the sender of a message. @param {{seat: number, name: string}} said */
const voiceOf = ({ seat, name }) => `${seat} ${name}`;

/** Emotes, ready-made phrases, and a field to write in. @param {{text: string, setText: (text: string) => void,
 *   send: () => void, show: (name: string) => () => void}} props */
function Talk({ text, setText, send, show }) {
  return html`
    <div class="row" role="group" aria-label=${t("chat.emotes")}>
      ${EMOTES.map((name) => html`<button class="emote-button" onClick=${show(name)}><${Emote} of=${name} /></button>`)}
    </div>
    <div class="row">
      ${PRESETS.map(
        (name) => html`<button class="button second small" onClick=${show(name)}>
          ${t(`chat.${name}`)}
        </button>`,
      )}
    </div>
    <form class="row" onSubmit=${onSubmit(send)}>
      <input
        type="text"
        autofocus
        maxlength="280"
        autocomplete="off"
        enterkeyhint="send"
        aria-label=${t("chat.say")}
        placeholder=${t("chat.say")}
        value=${text}
        onInput=${onValue(setText)}
      />
      <button class="button first" type="submit">${t("chat.send")}</button>
    </form>
  `;
}

/** What can be reported; words only with their message. */
const REPORTED = ["words", "name", "stalling", "cheating"];

/** @param {{name: string, table: string, whom: Whom, done?: () => void}} props */
function PersonMenu({ name, table, whom, done }) {
  const [said, setSaid] = useState("");
  const [reports, setReports] = useState(false);
  const act = useWork(async (/** @type {"mute"|"block"} */ what) => {
    await relate(what, table, whom);
    setSaid(t(`person.${what}.done`, { name }));
    done?.();
  });
  const sent = () => {
    setReports(false);
    setSaid(t("person.report.done"));
  };
  return html`<details class="person-menu">
    <summary aria-label=${t("person.menu", { name })}>⋯</summary>
    ${
      reports
        ? html`<${Report} table=${table} whom=${whom} sent=${sent} close=${() => setReports(false)} />`
        : said
          ? html`<p class="small" role="status">${said}</p>`
          : html`<div role="group" aria-label=${t("person.menu", { name })}>
            <div class="row">
              ${
                /** @type {const} */ (["mute", "block"]).map(
                  (what) => html`<${Button}
                    work=${act}
                    class="button second small"
                    title=${t(`person.${what}.says`)}
                    of=${what}
                  >
                    ${t(`person.${what}`)}
                  <//>`,
                )
              }
            </div>
            <button class="link person-report" title=${t("person.report.says")} onClick=${() => setReports(true)}>
              ${t("person.report")}
            </button>
          </div>`
    }
    <${ErrorNotice} error=${act.error} />
  </details>`;
}

/** Asks what is reported, then sends it. @param {{table: string, whom: Whom, sent: () => void, close: () => void}}
 *   props */
function Report({ table, whom, sent, close }) {
  const [about, setAbout] = useState("");
  const form = useRef(/** @type {HTMLFormElement|null} */ (null));
  useEffect(() => form.current?.querySelector("input")?.focus(), []); // the button that was pressed is gone
  const hasWords = "message" in whom;
  const work = useWork(async () => {
    await report(table, whom, about);
    sent();
  });
  return html`<form class="person-reported" ref=${form} onSubmit=${onSubmit(() => about && work.run())}>
    <${Choices}
      label=${t("report.about")}
      says=${hasWords ? "" : t("report.words.how")}
      value=${about}
      values=${namedValues(REPORTED.slice(hasWords ? 0 : 1), (each) => t(`report.${each}`))}
      choose=${setAbout}
    />
    <div class="row">
      <button class="button first small" type="submit" disabled=${!about || work.busy}>${t("report.send")}</button>
      <button class="button second small" type="button" onClick=${close}>${t("cancel")}</button>
    </div>
    <${ErrorNotice} error=${work.error} />
  </form>`;
}
