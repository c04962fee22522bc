// What moderators decided about the reader: what follows, until when, why, by which words; and one answer.

import { html, onSubmit, onValue, useState } from "../html.js";
import { ask, get, hadSession } from "../net/api.js";
import { ErrorNotice } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { dayAndTime } from "../phrases.js";
import { say } from "./words.js";

/** @import { OwnCase, OwnCases } from "../net/rest.js" */

/** @returns {Promise<OwnCases>} */
const findCases = async () => (hadSession() ? get("/people/me/cases") : { cases: [] });

export function Decisions() {
  const { value, again } = useRequest(findCases, []);
  if (!value || value.cases.length === 0) return null;
  return html`<section class="decisions">
    <h2>${say("case.title")}</h2>
    ${value.cases.map((each) => html`<${Decision} key=${each.id} each=${each} again=${again} />`)}
  </section>`;
}

/** @param {{each: OwnCase, again: () => void}} props */
function Decision({ each, again }) {
  const { sanction, until } = each;
  const term = until ? say("case.until", { time: dayAndTime(until) }) : say("case.for_good");
  const hasTerm = sanction !== "none" && sanction !== "warning";
  return html`<article class="panel decision" data-holds=${sanction !== "none"}>
    <h3>${say(`case.${sanction}`)}</h3>
    <p class="quiet small">${dayAndTime(each.at)}${hasTerm && ` · ${term}`}</p>
    ${each.why && html`<p><bdi>${each.why}</bdi></p>`}
    ${each.words.map(
      ({ about, text }) => html`<p class="quiet small">${say(`case.about.${about}`)}</p>
        ${(about === "words" || about === "name") && html`<blockquote><bdi>${text}</bdi></blockquote>`}`,
    )}
    ${each.may_answer && html`<${Answer} number=${each.id} again=${again} />`}
    ${
      each.answer &&
      html`<p class="quiet small">${say("case.answer")}</p>
        <blockquote><bdi>${each.answer}</bdi></blockquote>
        <p class="small">${each.state === "answered" ? say("case.waits") : hasTerm && say("case.stands")}</p>`
    }
  </article>`;
}

/** @param {{number: number, again: () => void}} props */
function Answer({ number, again }) {
  const [text, setText] = useState("");
  const work = useWork(async () => {
    await ask("POST", `/people/me/cases/${number}/answer`, { text });
    again();
  });
  return html`<form class="decision-answer" onSubmit=${onSubmit(work.run)}>
    <label>${say("case.answer")}
      <textarea maxlength="1000" rows="3" required value=${text} onInput=${onValue(setText)}></textarea></label>
    <p class="quiet small">${say("case.answer.say")}</p>
    <button class="button second" disabled=${work.busy || !text.trim()}>${say("case.send")}</button>
    <${ErrorNotice} error=${work.error} />
  </form>`;
}
