// Verdict of the exact solver on a rule set: who is favoured and by how much, how often a game is drawn.

import { html } from "../html.js";
import { get } from "../net/api.js";
import { useAsked } from "../parts/hooks.js";
import { gameWord, t } from "../words.js";

/** @import { Favoured, GameInfo, SolverAnswer } from "../net/rest.js" */

/** @param {{game: GameInfo, rules: string, seats: number}} props */
export function Verdict({ game, rules, seats }) {
  const { value, loading } = useAsked(() => judged(game.name, rules), [game.name, rules]);
  const problems = value?.problems ?? [];
  const answer = value?.answer;
  const solved = loading || typeof answer?.value !== "number" ? null : answer;
  return html`<aside class="sheet-means" aria-live="polite">
    <div class="means">
      <p class="quiet small">${t("new.means")}</p>
      ${loading && html`<p class="quiet">${t("new.solving")}</p>`}
      ${solved && html`<${Solved} game=${game.name} answer=${solved} />`}
      ${
        !loading &&
        problems.length > 0 &&
        html`<ul class="more-words">
          ${problems.map((each) => html`<li>${each}</li>`)}
        </ul>`
      }
      ${
        !loading &&
        !solved &&
        problems.length === 0 &&
        html`
          <p class="verdict display">${t(seats > 2 ? "new.even_many" : "new.unsolved")}</p>
          <p class="quiet small">${t("new.unsolved_why")}</p>
        `
      }
    </div>
  </aside>`;
}

/** The solver's answer; or, while options do not fit together, what is against them.
 * @param {string} game @param {string} rules @returns {Promise<{problems: string[], answer?: SolverAnswer}>} */
async function judged(game, rules) {
  const asked = `rules=${encodeURIComponent(rules)}`;
  const { problems } = await get(`/games/${game}/rules?${asked}`);
  return problems.length > 0 ? { problems } : { problems, answer: await get(`/games/${game}/verdict?${asked}`) };
}

/** @param {{game: string, answer: SolverAnswer}} props */
function Solved({ game, answer }) {
  const shares = split(answer);
  const who = answer.favoured ? favoured(game, answer.favoured) : "";
  const other = answer.favoured?.seat ? t("seat.number", { seat: 3 - answer.favoured.seat }) : t("verdict.other");
  const headline = shares && who ? t("verdict.favoured", { who, ...rounded(shares) }) : t("verdict.even");
  return html`
    <p class="verdict display">${headline}</p>
    ${shares && html`<${Shares} shares=${shares} who=${who} other=${other} />`}
    <ul class="more-words">
      ${shares && html`<li>${t("verdict.halved", halved(shares))}</li>`}
      <li>${shares && shares.tie >= 0.005 ? t("verdict.ties", { n: oneDigit(shares.tie) }) : t("verdict.no_ties")}</li>
    </ul>
    <p class="quiet small">${t("verdict.exact")}</p>
  `;
}

/** Parts of 100 for the one who is favoured, the other, and neither. The value counts a tie half.
 * @param {SolverAnswer} answer */
function split({ value, tie }) {
  if (typeof value !== "number" || value < 0 || value > 1) return null;
  const drawn = typeof tie === "number" ? tie : 0;
  const best = Math.max(value, 1 - value) - drawn / 2;
  return { best: best * 100, tie: drawn * 100, other: (1 - drawn - best) * 100 };
}

/** @param {number} share */
const oneDigit = (share) => share.toFixed(1);

/** A tie counted half for each. @param {{best: number, tie: number, other: number}} shares */
const halved = ({ best, tie, other }) => ({ most: oneDigit(best + tie / 2), least: oneDigit(other + tie / 2) });

/** @param {{best: number, other: number}} shares */
const rounded = ({ best, other }) => ({ most: Math.round(best), least: Math.round(other) });

/** The favoured side in the language shown. @param {string} game @param {Favoured} side */
function favoured(game, { seat, role }) {
  return seat ? t("seat.number", { seat }) : gameWord(game, `favoured.${role}`, role ?? "");
}

/** Two sides: the solver knows no other games.
 * @param {{shares: {best: number, tie: number, other: number}, who: string, other: string}} props */
function Shares({ shares: { best, tie, other: rest }, who, other }) {
  const columns = [rest, tie, best].map((each) => `${Math.max(each, 0.01)}fr`).join(" ");
  return html`<div>
    <div class="share" style=${{ "--columns": columns }} aria-hidden="true">
      <span></span><span class="tie"></span><span class="favoured"></span>
    </div>
    <div class="share-words">
      <span><b>${rest.toFixed(1)}</b>${other}</span>
      ${tie > 0 && html`<span><b>${tie.toFixed(1)}</b>${t("verdict.tie")}</span>`}
      <span><b>${best.toFixed(1)}</b>${who || t("verdict.other")}</span>
    </div>
  </div>`;
}
