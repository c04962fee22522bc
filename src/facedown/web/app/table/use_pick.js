// Sealing a pick from a table: its sound, and the table's own words where it is refused.
import { useState } from "../html.js";

/** @import { Act, Words } from "../contract.js" */

/** @param {Act} act @param {Words} words */
export function usePick(act, words) {
  const [refused, setRefused] = useState("");
  const pick = async (/** @type {string} */ choice) => {
    setRefused("");
    act.sound("seal", 0.5);
    try {
      await act.pick(choice);
    } catch (error) {
      setRefused(/** @type {{say?: string}} */ (error)?.say ?? words("refused"));
    }
  };
  return { refused, pick };
}
