// Which games there are, as the server tells it, and each game's own table, loaded when it is first needed.
// Names no game: a name is what the server says, and the file is where every game keeps its table.

import { html, signal, useEffect, useState } from "./html.js";
import { get } from "./net/api.js";
import { learn } from "./words.js";

/** @import { Signal } from "@preact/signals" */
/** @import { GameTable } from "./contract.js" */

/** @typedef {{name: string, label: string, help: string, rule: string, kind: "choice"|"number"|"switch",
 *   values?: string[], low?: number, high?: number}} Option */
/** @typedef {{name: string, title: string, summary: string, least_seats: number, most_seats: number, version: number,
 *   options: Option[], presets: {name: string, meaning: string, values: Record<string, any>, rules: string}[],
 *   machines: {name: string, says: string}[], usual_machine: string}} GameInfo */

/** @type {Signal<GameInfo[]|null>} */
export const games = signal(null);

/** @type {Promise<GameInfo[]>|null} */
let asked = null;

/** @returns {Promise<GameInfo[]>} */
export function allGames() {
  asked ??= get("/games").then(
    (/** @type {GameInfo[]} */ found) => {
      games.value = found.sort((a, b) => a.most_seats - b.most_seats); // duels first
      return games.value;
    },
    (error) => {
      asked = null;
      throw error;
    },
  );
  return /** @type {Promise<GameInfo[]>} */ (asked);
}

/** @param {string} name */
export async function gameNamed(name) {
  return (await allGames()).find((each) => each.name === name) ?? null;
}

/** @type {Map<string, Promise<GameTable>>} */
const tables = new Map();

/** @param {string} name @returns {Promise<GameTable>} */
export function tableOf(name) {
  const loading = tables.get(name) ?? load(name);
  tables.set(name, loading);
  loading.catch(() => tables.delete(name));
  return loading;
}

/** @param {string} name */
async function load(name) {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`no game is called ${name}`);
  const { default: table } = await import(`/games/${name}/table.js`);
  learn(name, table.words);
  await dressed(table.styles);
  return table;
}

/** The game's style sheet, in this edition. @param {string} address @returns {Promise<void>} */
function dressed(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = import.meta.resolve(address);
  return new Promise((done) => {
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
}

/** A game's table inside a component; null until it is there. @param {string|undefined} name */
export function useGame(name) {
  const [table, set] = useState(/** @type {GameTable|null} */ (null));
  useEffect(() => {
    let wanted = true;
    if (name)
      tableOf(name).then(
        (found) => wanted && set(found),
        () => {},
      );
    return () => {
      wanted = false;
    };
  }, [name]);
  return table;
}

/** A game's emblem, once it is there. @param {{game: string, size: "fan"|"glyph"}} props */
export function Emblem({ game, size }) {
  const table = useGame(game);
  return html`<span class=${`emblem emblem-${size}`} aria-hidden="true">
    ${table && html`<${table.Summary} size=${size} />`}
  </span>`;
}
