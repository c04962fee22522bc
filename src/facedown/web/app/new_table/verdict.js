// Verdict of the exact solver on a rule set: who is favoured and by how much, how often a game is drawn.

import { html } from "../html.js";
import { get } from "../net/api.js";
import { fixed } from "../numbers.js";
import { useGame, useRequest } from "../parts/hooks.js";
import { machineName } from "../phrases.js";
import { gameWord, t, wordsOf } from "../words.js";

/** @import { GameInfo, SolverAnswer } from "../net/rest.js" */

/** @param {{game: GameInfo, rules: string, sitters: string[], here: boolean,
 *   set: (option: string, value: string) => void}} props `set` changes an option of the rules */
export function Verdict({ game, rules, sitters, here, set }) {
  const seats = sitters.length;
  const table = useGame(game.name);
  const { value, loading } = useRequest((signal) => fetchVerdict(game.name, rules, signal), [game.name, rules]);
  const problems = value?.problems ?? [];
  const answer = value?.answer;
  const solved = loading || typeof answer?.value !== "number" ? null : answer;
  const says = solved || problems.length > 0 || (loading && game.explorer);
  return html`<aside class="sheet-means" aria-live="polite" data-says=${Boolean(says)}>
    <div class="means">
      <p class="quiet small">${t("new.means")}</p>
      ${loading && html`<p class="quiet">${t("new.solving")}</p>`}
      ${
        solved &&
        html`<${Solved} game=${game.name} answer=${solved} other=${otherName(game, sitters[1], here)}>
        ${solved.favoured?.seat && table?.even && html`<${Remedy} game=${game.name} even=${table.even} set=${set} />`}
      <//>`
      }
      ${
        !loading &&
        problems.length > 0 &&
        html`<ul class="problems">
          ${problems.map((each) => html`<li>${each}</li>`)}
        </ul>`
      }
      ${
        !loading &&
        !solved &&
        problems.length === 0 &&
        html`
          <p class="verdict display">${t(seats > 2 ? "new.even_many" : "new.unsolved")}</p>
          ${seats === 2 && html`<p class="quiet small">${t("new.unsolved_why")}</p>`}
        `
      }
    </div>
  </aside>`;
}

/** The solver's answer; or the problems, while options do not fit together. The server stops computing when
 * the request ends: otherwise trying many options would start too many computations at once.
 * @param {string} game @param {string} rules @param {AbortSignal} signal
 * @returns {Promise<{problems: string[], answer?: SolverAnswer}>} */
async function fetchVerdict(game, rules, signal) {
  const asked = `rules=${encodeURIComponent(rules)}`;
  const { problems } = await get(`/games/${game}/rules?${asked}`, signal);
  if (problems.length > 0) return { problems };
  return { problems, answer: await get(`/games/${game}/verdict?${asked}`, signal) };
}

/** The name of the seat beside one's own. @param {GameInfo} game @param {string} sitter @param {boolean} here */
function otherName(game, sitter, here) {
  if (sitter?.startsWith("machine:")) return machineName(wordsOf(game.name), sitter.slice(8));
  return t(here ? "verdict.here" : "verdict.friend");
}

/** Why it is not even, and what would make it so. @param {{game: string, even: {option: string, value: string},
 *   set: (option: string, value: string) => void}} props */
function Remedy({ game, even: { option, value }, set }) {
  return html`<p>
    ${gameWord(game, "even.why", "")} <button class="link" onClick=${() => set(option, value)}>
      ${gameWord(game, "even.do", "")}
    </button>
  </p>`;
}

/** Seat 1 is one's own. @param {{game: string, answer: SolverAnswer, other: string, children?: any}} props */
function Solved({ game, answer, other: name, children }) {
  const shares = split(answer);
  const seat = answer.favoured?.seat;
  const [you, role] = [t("you"), answer.favoured?.role];
  const who = seat ? [you, name][seat - 1] : role ? gameWord(game, `favoured.${role}`, role) : "";
  const other = seat ? [name, you][seat - 1] : t("verdict.other");
  const said = seat === 1 ? "verdict.favoured_you" : "verdict.favoured";
  const headline = shares && who ? t(said, { who, ...roundShares(shares) }) : t("verdict.even");
  return html`
    <p class="verdict display">${headline}</p>
    ${shares && html`<${Shares} shares=${shares} who=${who} other=${other} />`}
    ${children} ${answer.rounds && html`<${Rounds} game=${game} rounds=${answer.rounds} />`}
    <ul class="more-words">
      ${shares && html`<li>${t("verdict.halved", halveTies(shares))}</li>`}
      <li>
        ${shares && shares.tie >= 0.5 ? t("verdict.ties", { count: Math.round(shares.tie) }) : t("verdict.no_ties")}
      </li>
    </ul>
    <p class="quiet small">${t("verdict.exact")}</p>
  `;
}

/** How rounds end, of a hundred; those that never happen are left out.
 * @param {{game: string, rounds: Record<string, number>}} props */
function Rounds({ game, rounds }) {
  const ends = Object.entries(rounds).filter(([, share]) => share > 0);
  return html`<section class="of-rounds">
    <h2>${t("verdict.rounds")}</h2>
    <dl>
      ${ends.map(
        ([end, share]) => html`<div>
          <dt>${gameWord(game, `round.ends.${end}`, end)}</dt>
          <dd style=${{ "--part": share }}>${Math.round(share * 100)}</dd>
        </div>`,
      )}
    </dl>
  </section>`;
}

/** Parts of 100 for the one who is favoured, the other, and neither. The value counts a tie half.
 * @param {SolverAnswer} answer */
function split({ value, tie }) {
  if (typeof value !== "number" || value < 0 || value > 1) return null;
  const drawn = typeof tie === "number" ? tie : 0;
  const best = Math.max(value, 1 - value) - drawn / 2;
  return { best: best * 100, tie: drawn * 100, other: (1 - drawn - best) * 100 };
}

/** A tie counted half for each. @param {{best: number, tie: number, other: number}} shares */
const halveTies = ({ best, tie, other }) => ({ most: fixed(best + tie / 2), least: fixed(other + tie / 2) });

/** @param {{best: number, other: number}} shares */
const roundShares = ({ best, other }) => ({ most: Math.round(best), least: Math.round(other) });

/** Two sides: the solver knows no other games.
 * @param {{shares: {best: number, tie: number, other: number}, who: string, other: string}} props */
function Shares({ shares: { best, tie, other: rest }, who, other }) {
  const columns = [rest, tie, best].map((each) => `${Math.max(each, 0.01)}fr`).join(" ");
  return html`<div>
    <div class="share" style=${{ "--columns": columns }} aria-hidden="true">
      <span></span><span class="tie"></span><span class="favoured"></span>
    </div>
    <div class="share-words">
      <span><b>${fixed(rest)}</b>${other}</span>
      ${tie > 0 && html`<span><b>${fixed(tie)}</b>${t("verdict.tie")}</span>`}
      <span><b>${fixed(best)}</b>${who || t("verdict.other")}</span>
    </div>
  </div>`;
}
