// Verification of the deal and of every seal, done in this browser, each finding in a sentence.

import { html, useEffect, useState } from "../html.js";
import { get, tablePath } from "../net/api.js";
import { serverKeys } from "../net/keys.js";
import { memoryOf } from "../net/memory.js";
import { isLocal } from "../net/place.js";
import { drawsOf, sealSteps, verdictOf, verify } from "../net/verify.js";
import { differences } from "../net/witness.js";
import { Sign } from "../parts/marks.js";
import { loadWitnessMemory, witnessSeats } from "../state/saved_seats.js";
import { t } from "../words.js";

/** @import { GameTable, NarrationContext } from "../contract.js" */
/** @import { Finding, GameRecord } from "../net/verify.js" */

/** @param {{record: GameRecord, game: GameTable, narration: NarrationContext}} props */
export function Verification({ record, game, narration }) {
  const [steps, setSteps] = useState(false);
  const [findings, setFindings] = useState(/** @type {Finding[]|null} */ (null));
  useEffect(() => {
    findingsOf(record, game).then(setFindings, () => setFindings([{ check: "links", holds: false, count: 0 }]));
  }, [record]);
  const verdict = findings && verdictOf(findings);
  return html`<section class="verification">
    <h2>${t("verify.title")}</h2>
    ${!findings && html`<p class="quiet">${t("verify.working")}</p>`}
    ${verdict && html`<p data-verdict=${verdict}><strong>${t(`verify.verdict.${verdict}`)}</strong></p>`}
    <ul>
      ${findings?.map(
        (each) => html`<li data-holds=${String(each.holds)}>
          <${Holds} of=${each.holds} /><span>${words(each, record)}</span>
        </li>`,
      )}
    </ul>
    ${
      findings &&
      html`<p class="small quiet">
        ${t("verify.here")}
        ${
          record.seed &&
          html`
            <br />${t("verify.seed")} <code>${record.seed.slice(0, 8)} … ${record.seed.slice(-8)}</code>
          `
        }
      </p>`
    }
    ${
      verdict &&
      verdict !== "false" &&
      record.fair &&
      html`<p>
        <button class="button second" aria-expanded=${steps} onClick=${() => setSteps(!steps)}>
          ${t(steps ? "verify.steps_close" : "verify.steps")}
        </button>
      </p>`
    }
    ${steps && html`<${Steps} record=${record} game=${game} narration=${narration} />`}
  </section>`;
}

/** The sign of a finding, also in words. @param {{of: boolean|null}} props */
function Holds({ of: holds }) {
  const [sign, word] = holds === null ? ["unknown", "unknown"] : holds ? ["tick", "holds"] : ["cross", "broken"];
  return html`<${Sign} of=${sign} /><span class="unseen">${t(`verify.sign.${word}`)}</span>`;
}

/** @param {GameRecord} record @param {GameTable} game @returns {Promise<Finding[]>} */
async function findingsOf(record, game) {
  const keys = isLocal(record.id) ? new Set() : await serverKeys();
  const known = { draws: recordedDraws(record, game), origin: await originOf(record), keys };
  return [...(await verify(record, known)), ...witnessFindings(record)];
}

/** A row for every seal, with its fingerprint.
 * @param {{record: any, game: GameTable, narration: NarrationContext}} props */
function Steps({ record, game, narration }) {
  return html`<ol class="verification-steps small">
    ${sealSteps(record).map(
      ({ decision, seat, pick, commit, holds }) => html`<li data-holds=${String(holds)}>
        <${Holds} of=${holds} />
        <span>
          ${t("verify.step", { n: decision, name: narration.names(seat), pick: game.pickName(pick, narration) })}
          <code>${commit.slice(0, 16)}…</code>
        </span>
      </li>`,
    )}
  </ol>`;
}

/** The record of the game that this one continues; null if it cannot be read. @param {GameRecord} record */
async function originOf({ continues }) {
  return continues ? get(`${tablePath(continues.id)}/record`).catch(() => null) : null;
}

/** Compares the record with what this browser received and did during the game, if it was there.
 * @param {GameRecord} record @returns {Finding[]} */
const witnessFindings = (record) => witnessSeats(record.id).flatMap((seat) => memoryFindings(record, seat));

/** @param {GameRecord} record @param {number} seat @returns {Finding[]} */
function memoryFindings(record, seat) {
  const memory = memoryOf(record.id, seat, loadWitnessMemory(record.id, seat));
  if (memory.links.length === 0) return []; // it saw nothing
  const first = memory.alarm ?? differences(memory, record)[0];
  if (first) return [{ check: "heard", holds: false, count: 0, at: { decision: first.decision, seat: first.seat } }];
  const count = new Set(memory.elsewhere).size;
  return [{ check: "heard", holds: true, count, ...(count > 0 ? { why: "elsewhere" } : {}) }];
}

/** @param {GameRecord} record @param {GameTable} game */
function recordedDraws(record, game) {
  if (record.chance?.length === 0) return []; // nothing was left to chance
  try {
    return game.review?.draws ? game.review.draws(record) : drawsOf(record);
  } catch {
    return null;
  }
}

/** @param {Finding} finding @param {GameRecord} record */
function words({ check, holds, count, at, why }, { continues }) {
  const state = why ?? (holds === null ? "unknown" : holds ? "holds" : "broken");
  if (check === "deal" && holds && count === 0)
    return t(continues ? "verify.deal.nothing_since" : "verify.deal.nothing");
  if (check === "deal" && holds && continues) return t("verify.deal.holds_since", { count });
  return t(`verify.${check}.${state}`, { count, decision: at?.decision ?? 0, seat: at?.seat ?? 0 });
}
