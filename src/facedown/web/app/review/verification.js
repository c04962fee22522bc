// Verification of a finished game, done in this browser, each finding in a sentence. On request, the same Python as
// `facedown verify` checks what needs the rules: in this page too.

import { html, useEffect, useState } from "../html.js";
import { get, tablePath } from "../net/api.js";
import { publishedKeys, serverKeys } from "../net/keys.js";
import { memoryOf } from "../net/memory.js";
import { isLocal, localServer } from "../net/place.js";
import { cosignersOf, newestCheckpoint, readProof } from "../net/public_log.js";
import { completed, sealSteps, verdictOf, verify } from "../net/verify.js";
import { differences } from "../net/witness.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { size } from "../parts/offline.js";
import { checkKept, keeping } from "../state/keeping.js";
import { loadWitnessMemory, witnessSeats } from "../state/saved_seats.js";
import { lang, t } from "../words.js";
import { Findings, Holds, recordedDraws } from "./findings.js";

/** @import { GameTable, NarrationContext } from "../contract.js" */
/** @import { Finding, GameRecord } from "../net/verify.js" */

/** @param {{record: GameRecord, game: GameTable, narration: NarrationContext}} props */
export function Verification({ record, game, narration }) {
  const [steps, setSteps] = useState(false);
  const [findings, setFindings] = useState(/** @type {Finding[]|null} */ (null));
  useEffect(() => {
    findingsOf(record, game).then(setFindings, () => setFindings([{ check: "links", holds: false, count: 0 }]));
  }, [record]);
  const complete = (/** @type {any[]} */ whole) => setFindings((now) => completed(now ?? [], whole));
  const verdict = findings && verdictOf(findings);
  return html`<section class="verification">
    <h2>${t("verify.title")}</h2>
    ${!findings && html`<p class="quiet">${t("verify.working")}</p>`}
    ${findings && html`<${Findings} findings=${findings} record=${record} />`}
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
    ${verdict === "consistent" && html`<${WholeCheck} record=${record} take=${complete} />`}
  </section>`;
}

/** The checks that need the rules: Python in this page makes them if the server offers it, the command anywhere.
 * Nothing is downloaded before the player asks, and the button names its size first.
 * @param {{record: GameRecord, take: (whole: {check: string, holds: boolean|null, say: string}[]) => void}} props */
function WholeCheck({ record, take }) {
  const [offer, setOffer] = useState("");
  const work = useWork(async () => {
    if (!offer) await checkKept();
    const { state } = keeping.value;
    if (!offer && state !== "kept") return setOffer(state);
    const keys = Object.fromEntries([...(await keysOf(record))].map((key) => [key, location.origin]));
    const server = await localServer();
    take(await server.verify({ record, origin: await originOf(record), keys, language: lang.value }));
    setOffer("done");
  });
  return html`<div class="whole-check">
    ${
      (offer === "" || offer === "offered") &&
      html`<${Button} work=${work}>
        ${offer ? t("verify.whole_size", { size: size(keeping.value.bytes) }) : t("verify.whole")}
      <//>`
    }
    ${offer === "none" && html`<p role="status">${t("settings.offline.none")}</p>`}
    <${ErrorNotice} error=${work.error} />
    <p class="small quiet">${t("verify.command")} <code>${command(record)}</code></p>
  </div>`;
}

/** @param {GameRecord} record */
const command = ({ id, fair }) => `facedown verify ${id}.json${fair ? ` --server ${location.origin}` : ""}`;

/** The keys that the server of a record is known by. @param {GameRecord} record @returns {Promise<Set<string>>} */
const keysOf = async ({ id }) => (isLocal(id) ? new Set() : serverKeys());

/** @param {GameRecord} record @param {GameTable} game @returns {Promise<Finding[]>} */
async function findingsOf(record, game) {
  const history = historyFindings(record); // the server is asked while this browser computes
  const known = { draws: recordedDraws(record, game), origin: await originOf(record), keys: await keysOf(record) };
  return [...(await verify(record, known)), ...(await history), ...witnessFindings(record)];
}

/** Whether the server's log of today continues the one of the record, and the witnesses that cosigned it since; nothing
 * if the server does not say.
 * @param {GameRecord} record @returns {Promise<Finding[]>} */
async function historyFindings({ id, fair }) {
  if (isLocal(id) || !fair?.log?.record) return [];
  try {
    const { note, index } = readProof(fair.log.record);
    const newest = await newestCheckpoint(note);
    const cosigners = newest.size > index ? await cosignersOf(newest, publishedKeys()?.witnesses ?? []) : [];
    return [
      { check: "history", holds: true, count: newest.size },
      ...cosigners.map((name) => ({ check: "witness", holds: true, count: 0, say: t("verify.witness", { name }) })),
    ];
  } catch (error) {
    return "statements" in /** @type {Error} */ (error) ? [{ check: "history", holds: false, count: 0 }] : [];
  }
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
  const finding = { check: "memory", holds: true, count: 0 };
  if (first) return [{ ...finding, holds: false, at: { decision: first.decision, seat: first.seat } }];
  if (Object.values(memory.log).includes(false)) return [{ ...finding, holds: null, why: "unlogged" }];
  const count = new Set(memory.elsewhere).size;
  return [{ ...finding, count, ...(count > 0 ? { why: "elsewhere" } : {}) }];
}
