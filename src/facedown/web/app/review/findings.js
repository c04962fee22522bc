// What a verification found, in sentences: the verdict, and each check with its sign.

import { html } from "../html.js";
import { drawsOf, missingIn, verdictOf } from "../net/verify.js";
import { Sign } from "../parts/marks.js";
import { t } from "../words.js";

/** @import { GameTable } from "../contract.js" */
/** @import { Finding, GameRecord } from "../net/verify.js" */

/** @param {{findings: Finding[], record: GameRecord}} props */
export function Findings({ findings, record }) {
  const verdict = verdictOf(findings);
  return html`
    <p data-verdict=${verdict} role="status">
      <strong>${t(`verify.${verdict}`, { missing: missingWords(findings) })}</strong>
    </p>
    <ul>
      ${findings.map(
        (each) => html`<li data-holds=${String(each.holds)} data-check=${each.check}>
          <${Holds} of=${each.holds} /><span>${words(each, record)}</span>
        </li>`,
      )}
    </ul>
  `;
}

/** The sign of a finding, also in words. @param {{of: boolean|null}} props */
export function Holds({ of: holds }) {
  const [sign, word] = holds === null ? ["unknown", "unknown"] : holds ? ["tick", "holds"] : ["cross", "broken"];
  return html`<${Sign} of=${sign} /><span class="unseen">${t(`verify.sign.${word}`)}</span>`;
}

/** What is missing, as the verdict names it. @param {Finding[]} findings */
const missingWords = (findings) =>
  missingIn(findings)
    .map((check) => t(`verify.check.${check}`))
    .join(t("list.comma"));

/** @param {GameRecord} record @param {GameTable} game */
export function recordedDraws(record, game) {
  if (record.chance?.length === 0) return []; // nothing was left to chance
  try {
    return game.review?.draws ? game.review.draws(record) : drawsOf(record);
  } catch {
    return null;
  }
}

/** @param {Finding} finding @param {GameRecord} record */
function words({ check, holds, count, at, why, say }, { continues }) {
  if (say) return say;
  const state = why ?? (holds === null ? "unknown" : holds ? "holds" : "broken");
  if (check === "deal" && holds && count === 0)
    return t(continues ? "verify.deal.nothing_since" : "verify.deal.nothing");
  if (check === "deal" && holds && continues) return t("verify.deal.holds_since", { count });
  return t(`verify.${check}.${state}`, { count, decision: at?.decision ?? 0, seat: at?.seat ?? 0 });
}
