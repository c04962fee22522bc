// What characters of the house make of a decisive reveal: their faces change, and one of them may say something. All of
// it follows from what everyone sees. Nothing is sent, and each line comes once a game at most.

import { loadedTables } from "../state/games.js";
import { residentsOf } from "../study/house.js";

/** @import { ResidentInfo } from "../net/rest.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** @typedef {"hit"|"pleased"|"won"|"lost"} Occasion */

/** By table: who has said what. @type {Map<string, Set<string>>} */
const said = new Map();

/** @param {ScreenSeats} screenSeats */
export async function react(screenSeats) {
  const sight = screenSeats.sight.peek();
  const reveal = sight?.lastReveal;
  if (!sight || !reveal) return;
  const { table, names } = sight;
  const moods = loadedTables.peek()[table.game]?.moods?.(reveal, sight) ?? {};
  screenSeats.moods.value = { decision: reveal.decision, of: moods };
  const speaker = table.seats.find(({ seat, machine }) => machine && moods[seat]);
  if (!speaker?.machine || table.chat === false || reveal.events.some(({ kind }) => kind === "end")) return;
  const text = await lineOf(table.game, speaker.machine, moods[speaker.seat]);
  const lines = said.get(table.id) ?? new Set();
  if (!text || lines.has(text)) return;
  said.set(table.id, lines.add(text));
  screenSeats.spoken.value = { v: -reveal.decision, seat: speaker.seat, name: names(speaker.seat), text };
}

/** What a machine says; "" if it is not of the house. @param {string} game @param {string} machine
 * @param {Occasion} occasion */
export async function lineOf(game, machine, occasion) {
  /** @type {ResidentInfo[]} */
  const residents = await residentsOf(game);
  return residents.find(({ name }) => name === machine)?.talk?.[occasion] ?? "";
}
