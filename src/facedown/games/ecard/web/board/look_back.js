// Looking back at the last finished round, and the rules behind it, also where this page did not see it happen.

import { useRef, useState } from "/app/html.js";
import { finishedLast, revealFacts } from "../reveal/facts.js";

/** @import { RevealFacts } from "../reveal/facts.js" */
/** @import { Finished } from "../reveal/scene.js" */
/** @import { Act, Reveal, Sight } from "/app/contract.js" */

/** The reveal that ended a round. @param {Reveal[]} reveals @param {number} round @returns {RevealFacts|null} */
function deciding(reveals, round) {
  return reveals.map(revealFacts).find((facts) => facts.round?.round === round) ?? null;
}

/** `finished` is the round that is being looked at, null while there is none; `why` tells the rules of the last one.
 * @param {Sight} sight @param {Act} act @param {boolean} showing whether a reveal is being shown
 * @returns {{finished: Finished|null, look: (() => void)|null, leave: () => void, why: (sentence: string) => void}} */
export function useLookBack(sight, act, showing) {
  const [at, setAt] = useState(0);
  const seen = useRef(/** @type {Reveal[]} */ ([]));
  const { view, lastReveal } = sight;
  if (lastReveal && !seen.current.includes(lastReveal)) seen.current = [lastReveal, ...seen.current];
  const rounds = view.rounds.length;
  const may = !showing && !view.outcome && rounds > 0;
  const why = async (/** @type {string} */ sentence) => {
    const known = deciding(seen.current, rounds);
    if (known) return act.why(known.rules, sentence);
    const all = (await act.reveals().catch(() => null)) ?? [];
    act.why(deciding(all, rounds)?.rules ?? [], sentence);
  };
  return {
    finished: may && at === rounds ? finishedLast(view) : null,
    look: may ? () => setAt(rounds) : null,
    leave: () => setAt(0),
    why,
  };
}
