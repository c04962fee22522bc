// People whom this person has muted or blocked, and reports to the operator.

import { signal } from "../html.js";
import { ask, get } from "../net/api.js";

/** @import { RelationInfo } from "../net/rest.js" */
/** @typedef {{seat: number}|{message: number}} Whom the person on a seat, or the sender of a message */

/** People whom this person has muted or blocked; null until loaded. */
export const relations = signal(/** @type {RelationInfo[]|null} */ (null));

export async function loadRelations() {
  relations.value = (await get("/people/me/relations")).people;
}

/** @param {"mute"|"block"} kind @param {string} table @param {Whom} whom */
export async function relate(kind, table, whom) {
  await ask("POST", "/people/me/relations", { kind, table, ...whom });
  await loadRelations();
}

/** @param {number} id */
export async function unrelate(id) {
  await ask("DELETE", `/people/me/relations/${id}`);
  await loadRelations();
}

/** @param {string} table @param {Whom} whom @param {string} about words, a name, stalling or cheating */
export const report = (table, whom, about) => ask("POST", "/reports", { about, table, ...whom });
