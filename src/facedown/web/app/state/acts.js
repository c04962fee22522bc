// What a game's table may do, bound to the seat that is shown.

import { sentence } from "../parts/trouble.js";
import { sound } from "../sound.js";

/** @import { Company } from "./company.js" */
/** @import { Act } from "../contract.js" */

/** @param {Company} company @param {(open: any) => void} open
 * @returns {Act & {preset: (name: string) => void}} */
export function acts(company, open) {
  return {
    pick: async (pick) => {
      await company
        .active()
        .pick(pick)
        .catch((refusal) => {
          throw { ...refusal, say: sentence(refusal) };
        });
    },
    resign: () => open({ sheet: "resign" }),
    say: (text) =>
      void company
        .active()
        .do({ do: "say", text: text.slice(0, 280) })
        .catch(() => {}),
    preset: (preset) =>
      void company
        .active()
        .do({ do: "say", preset })
        .catch(() => {}),
    why: (ids, sentence) => open({ sheet: "why", ids, sentence }),
    revealed: () => company.active().revealed(),
    sound,
  };
}
