// Looking back at the finished rounds, and the rules behind them, also those from before this page was opened.

import { useRef, useState } from "/app/html.js";
import { finishedRound, revealFacts } from "../reveal/facts.js";

/** @import { Finished } from "../reveal/scene.js" */
/** @import { Act, Reveal, Sight } from "/app/contract.js" */

/** The reveal that ended a round. @param {Reveal[]} reveals @param {number} round */
const deciding = (reveals, round) => reveals.find((each) => revealFacts(each).round?.round === round);

/** `finished` is the round that is being looked at, null while there is none, `emperor` its Emperor side; `look` goes
 * to the last one, `turn` from it to others, if there are any; `why` shows the rules behind the one that is shown, else
 * behind the last.
 * @param {Sight} sight @param {Act} act @param {boolean} showing whether a reveal is being shown
 * @returns {{finished: Finished|null, emperor: number|null, look: (() => void)|null, leave: () => void,
 *   why: (sentence: string) => void, turn: {back: (() => void)|null, on: (() => void)|null}}} */
export function useLookBack(sight, act, showing) {
  const [at, setAt] = useState({ round: 0, of: 0 });
  const seen = useRef(/** @type {Reveal[]} */ ([]));
  const { view, lastReveal } = sight;
  if (lastReveal && !seen.current.includes(lastReveal)) seen.current = [lastReveal, ...seen.current];
  const rounds = view.rounds.length;
  const may = !showing && !view.outcome && rounds > 0;
  const round = may && at.of === rounds ? at.round : 0; // another round is over: looking back ends
  const to = (/** @type {number} */ wanted) => () => setAt({ round: wanted, of: rounds });
  const why = async (/** @type {string} */ sentence) => {
    const of = round || rounds;
    const found = deciding(seen.current, of) ?? deciding((await act.reveals().catch(() => null)) ?? [], of);
    act.why(found ? revealFacts(found).rules : [], sentence, found?.events);
  };
  return {
    finished: round ? finishedRound(view, round, sight.options.victory === "rounds") : null,
    emperor: round ? (view.sides[round - 1] ?? null) : null,
    look: may ? to(rounds) : null,
    leave: to(0),
    why,
    turn: { back: round > 1 ? to(round - 1) : null, on: round && round < rounds ? to(round + 1) : null },
  };
}
