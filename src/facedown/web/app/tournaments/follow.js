// Follows a tournament: the whole once, then the changes that the server sends to everyone, by version.

import { useEffect, useState } from "../html.js";
import { get, guestSession, hadSession } from "../net/api.js";
import { reach } from "../net/place.js";

/** @import { StandingRow, TournamentInfo, TournamentUpdate } from "../net/rest.js" */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** @param {string} id */
export const pathOf = (id) => `/tournaments/${encodeURIComponent(id)}`;

/** A tournament after a change; null if the change follows another version.
 * @param {TournamentInfo} info @param {TournamentUpdate} update @returns {TournamentInfo|null} */
function updated(info, { after, head, rows }) {
  if (after === 0) return { ...info, head, rows };
  if (after !== info.head.v) return null;
  const changed = new Map(rows.map((row) => [row.number, row]));
  const kept = info.rows.filter(({ number }) => !changed.has(number));
  return { ...info, head, rows: [...kept, ...rows].sort(better) };
}

/** @param {StandingRow} a @param {StandingRow} b */
const better = (a, b) =>
  b.points - a.points ||
  (b.strength ?? 0) - (a.strength ?? 0) ||
  b.wins - a.wins ||
  b.rating - a.rating ||
  a.number - b.number;

/** The whole as it has arrived, with the entry of one's own that was made since it was asked for.
 * @param {TournamentInfo|null} shown @param {TournamentInfo} info @returns {TournamentInfo} */
export const arrived = (shown, info) => ({ ...info, own: info.own || (shown?.own ?? 0) });

/** The tournament as it is now, and a way to set it after one's own request. @param {string} id */
export function useTournament(id) {
  const [info, setInfo] = useState(/** @type {TournamentInfo|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    follow(id, setInfo, setError, stop.signal);
    return () => stop.abort();
  }, [id]);
  return { info, error, setInfo };
}

/** @param {string} id @param {(change: any) => void} setInfo @param {(error: any) => void} setError
 * @param {AbortSignal} signal */
async function follow(id, setInfo, setError, signal) {
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      if (hadSession()) await guestSession();
      let info = /** @type {TournamentInfo} */ (await get(pathOf(id), signal));
      setInfo((/** @type {TournamentInfo|null} */ shown) => arrived(shown, info));
      setError(null);
      wait = FIRST_WAIT;
      for await (const update of lines(`${pathOf(id)}/events?since=${info.head.v}`, signal)) {
        const next = updated(info, update);
        if (!next) break; // something is missing: read the whole again
        info = next;
        setInfo((/** @type {TournamentInfo} */ shown) => ({ ...info, own: shown.own }));
      }
    } catch (error) {
      if (signal.aborted) return;
      setError(error);
      if (/** @type {any} */ (error).status === 404) return;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }
}

/** The lines of a stream, each as JSON. @param {string} path @param {AbortSignal} signal
 * @returns {AsyncGenerator<TournamentUpdate>} */
async function* lines(path, signal) {
  const { body } = await reach(path, { method: "GET", headers: {}, signal });
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const whole = text.split("\n");
    text = whole.pop() ?? "";
    for (const line of whole) if (line.trim()) yield JSON.parse(line);
  }
}
