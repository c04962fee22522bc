// Dialogs of a table: how to play, the rules behind an outcome (why?), the keys, the log, leaving, resigning, and
// those that have modules of their own. Loaded when the first one is opened.

import { sentencesOf } from "../frame/narration.js";
import { html } from "../html.js";
import { get } from "../net/api.js";
import { NO_KEY, spokenWords } from "../net/links.js";
import { Link } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { Lessons, Picture } from "../parts/lessons.js";
import { go } from "../router.js";
import { fetchHistory, withHistory } from "../state/history.js";
import { forgetSeat } from "../state/saved_seats.js";
import { renderMarks } from "../table/rule_text.js";
import { t } from "../words.js";
import { ChatDialog } from "./chat.js";
import { DeviceDialog } from "./devices.js";
import { Confirm, Dialog } from "./dialog.js";

/** @import { TableDialogProps } from "./dialog.js" */

/** Why a reveal came out as it did: the game's answer as a picture and a sentence, then the rules word for word.
 * @param {TableDialogProps} props */
function WhyDialog({ sight, game: table, words, narration, ids = [], sentence = "", events, close }) {
  const { game, rules } = sight.table;
  const path = `/games/${game}/rules?rules=${encodeURIComponent(rules)}`;
  const { value } = useRequest(() => get(path), [path]);
  const answer = (events && table?.answer?.(events, narration)) ?? null;
  return html`<${Dialog} class="footed" label=${t("why")} close=${close}>
    ${answer && table && html`<${Picture} game=${table} picture=${answer.picture} words=${words} />`}
    <h2>${answer?.say || sentence || t("why")}</h2>
    <dl class="why">
      ${ids.map(
        (id) => html`<div><dt class="numbers">${id}</dt><dd>${renderMarks(value?.sentences?.[id] ?? "…")}</dd></div>`,
      )}
    </dl>
    <div class="row">
      <button class="button first" onClick=${close}>${t("close")}</button>
      <${Link} class="link" href=${`/rules/${game}`}>${t("why.all")}<//>
    </div>
  <//>`;
}

/** @param {TableDialogProps} props */
function KeysDialog({ words, close }) {
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
 * @param {TableDialogProps} props */
function HowToPlayDialog({ sight, game, words, close }) {
  const { game: name, rules } = sight.table;
  if (!game) return null;
  return html`<${Dialog} class="how-to-play footed" label=${t("rules.how")} close=${close}>
    <h2>${t("rules.how")}</h2>
    <${Lessons} game=${game} words=${words} />
    <div class="row">
      <button class="button first" onClick=${close}>${t("close")}</button>
      <${Link} class="link" href=${`/rules/${name}?rules=${encodeURIComponent(rules)}`}>${t("rules.exact")}<//>
    </div>
  <//>`;
}

/** Everything that happened at the table, in sentences. @param {TableDialogProps} props */
function LogDialog({ screenSeats, game, narration, act, close }) {
  const { table, seat, known } = screenSeats.active();
  const { value: earlier } = useRequest(() => fetchHistory(table, seat), [table, seat]);
  const sentences = withHistory(earlier ?? [], known.value.log)
    .filter(({ k }) => k !== "sealed")
    .flatMap((event) => sentencesOf(event, game, narration))
    .reverse();
  return html`<${Dialog} class="drawer" label=${t("log.title")} close=${close}>
    <div class="wrap sheet-head">
      <h2>${t("log.title")}</h2><button class="button second" onClick=${close}>${t("close")}</button>
    </div>
    ${sentences.length === 0 && html`<p class="empty">${t("log.empty")}</p>`}
    <ol class="log">
      ${sentences.map(
        ({ say, rules }) =>
          html`<li>
            <bdi>${say}</bdi> ${
              rules.length > 0 &&
              html`<button class="link small" onClick=${() => act.why(rules, say)}>${t("why")}</button>`
            }
          </li>`,
      )}
    </ol>
  <//>`;
}

/** A fingerprint: the first 24 digits in groups. @param {string} digits */
const fingerprint = (digits) => html`<code>${digits.slice(0, 24).match(/.{4}/g)?.join(" ")}</code>`;

/** What players can compare: the head of the deal, which binds everything before it, and the server's key.
 * @param {TableDialogProps} props */
function ProofDialog({ screenSeats, close }) {
  const { dealt, key } = screenSeats.active().witness.chain;
  const isSigning = key !== "" && key !== NO_KEY;
  return html`<${Dialog} label=${t("proof.title")} close=${close}>
    <h2>${t("proof.title")}</h2>
    <p>${t("proof.compare")}</p>
    <p>${t("proof.deal")}<br />${
      dealt ? html`<strong class="spoken" lang="und" translate="no">${spokenWords(dealt)}</strong>` : t("proof.undealt")
    }</p>
    <p>${t("proof.key")}<br />${isSigning ? fingerprint(key) : t("proof.unsigned")}</p>
    <div class="row"><button class="button first" onClick=${close}>${t("close")}</button></div>
  <//>`;
}

/** Leaving frees the seat before the start; in play it keeps waiting. @param {TableDialogProps} props */
function LeaveDialog({ screenSeats, sight: { table, seat }, act, close }) {
  const early = table.state === "open";
  const leave = useWork(async () => {
    await screenSeats.active().do({ do: "leave" });
    if (early) forgetSeat(table.id, seat);
    go("/");
  });
  const way = early ? "stand" : "leave";
  return html`<${Confirm}
    title=${t(`${way}.title`)}
    says=${t(`${way}.say`)}
    stay=${t("leave.stay")}
    really=${t(`${way}.really`)}
    close=${close}
    work=${leave}
    also=${table.state === "playing" && html`<button class="link" onClick=${act.resign}>${t("leave.resign")}</button>`}
  />`;
}

/** @param {TableDialogProps} props */
function ResignDialog({ screenSeats, close }) {
  const resign = useWork(async () => {
    await screenSeats.active().resign();
    close();
  });
  return html`<${Confirm}
    title=${t("resign.title")}
    says=${t("resign.say")}
    stay=${t("resign.stay")}
    really=${t("resign.really")}
    close=${close}
    work=${resign}
  />`;
}

export const DIALOGS = {
  rules: HowToPlayDialog,
  keys: KeysDialog,
  log: LogDialog,
  chat: ChatDialog,
  why: WhyDialog,
  proof: ProofDialog,
  device: DeviceDialog,
  leave: LeaveDialog,
  resign: ResignDialog,
};

/** @typedef {keyof typeof DIALOGS} DialogName */
