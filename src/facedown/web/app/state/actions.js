// Actions of a table, bound to the seat that is shown: seal a pick, resign, chat, ask why.

import { errorText } from "../phrases.js";
import { sound } from "../sound.js";
import { fetchReveals } from "./history.js";

/** @import { Act } from "../contract.js" */
/** @import { ScreenSeats } from "./screen_seats.js" */

/** @param {ScreenSeats} screenSeats @param {(open: any) => void} open
 * @returns {Act & {preset: (name: string) => Promise<void>}} */
export function tableActions(screenSeats, open) {
  return {
    pick: async (pick) => {
      await screenSeats
        .active()
        .sealing.pick(pick)
        .catch((refusal) => {
          throw { ...refusal, say: errorText(refusal) };
        });
    },
    resign: () => open({ dialog: "resign" }),
    say: async (text) => void (await screenSeats.active().do({ do: "say", text: text.slice(0, 280) })),
    preset: async (preset) => void (await screenSeats.active().do({ do: "say", preset })),
    reveals: () => fetchReveals(screenSeats.table, screenSeats.active().seat),
    why: (ids, sentence, events) => open({ dialog: "why", ids, sentence, events }),
    settled: () => {
      screenSeats.active().reveals.settle();
      import("../frame/talk.js").then(({ react }) => react(screenSeats)).catch(() => {}); // not with the first table
    },
    revealed: () => screenSeats.active().reveals.finish(),
    sound,
  };
}
