// The number that one seat throws into the deal: opened once all promises are fixed, promised again if a deal came to
// nothing. The witness says when.

import { hex, random32 } from "../net/commitments.js";
import { savedSeat, saveSeat } from "./saved_seats.js";

/** @import { SeatParts } from "./sealing.js" */

/** Returns what is to be done after every frame. @param {SeatParts} parts @returns {() => void} */
export function entropyOpening({ table, seat, witness, command }) {
  /** @type {Set<string>} commands that have been given, by their ids, which are the same each time */
  const given = new Set();
  /** @param {{id: string, do: string, [name: string]: any}} what */
  const give = (what) => {
    if (given.has(what.id)) return;
    given.add(what.id);
    command(what).catch(() => given.delete(what.id));
  };
  return () => {
    if (seat === 0) return;
    const { voids, dealt, ended } = witness.chain;
    const saved = savedSeat(table, seat);
    if (saved.entropy && (dealt || ended)) saveSeat(table, seat, { entropy: null });
    if (ended === "over" && !saved.over) saveSeat(table, seat, { over: true });
    if (witness.witness.toPromise()) {
      const entropy = saved.attempt === voids && saved.entropy ? saved.entropy : hex(random32());
      saveSeat(table, seat, { entropy, attempt: voids });
      const commit = witness.note(({ memory }) => {
        memory.entropy = entropy;
        return witness.witness.ownPromise();
      });
      give({ id: `promise-${voids}-${commit.slice(0, 12)}`, do: "promise", commit });
    }
    const entropy = witness.note((each) => each.toOpen());
    if (entropy) give({ id: `open-${voids}-${seat}`, do: "open", entropy });
  };
}
