// Opening of one seat's entropy: once every seat is taken, sends the random bytes that the seat committed to.

import { effect } from "../html.js";
import { ulid } from "../net/api.js";
import { savedSeat, saveSeat } from "./saved_seats.js";

/** @import { SeatParts } from "./sealing.js" */

/** Watches the table and opens the seat's entropy when it is due; forgets secrets that are of no more use.
 * @param {SeatParts} parts @returns {() => void} stops watching */
export function watchEntropy({ table, seat, known, witness, command }) {
  if (seat === 0) return () => {};
  let sent = false;
  return effect(() => {
    const { table: info } = known.value;
    if (!info) return;
    const { entropy, over } = savedSeat(table, seat);
    const mine = info.seats.find((each) => each.seat === seat);
    if (entropy && (mine?.opened || info.state === "playing")) saveSeat(table, seat, { entropy: null });
    if (info.state === "over" && !over) saveSeat(table, seat, { over: true, entropy: null, sealing: null });
    if (info.state !== "opening" || !entropy || !mine || mine.opened || sent) return;
    sent = true;
    witness.memory.entropy = entropy;
    command({ id: ulid(), do: "open", entropy }).then(
      () => witness.recordOpenedEntropy(),
      () => {},
    );
  });
}
