// Chart of the winning chances over the game, with the cards of each decision below it.

import { html, useEffect, useElement } from "../html.js";
import { percent } from "../numbers.js";
import { t } from "../words.js";
import { shownOrder, turnedAt } from "./columns.js";

/** @import { GameTable, NarrationContext, Turned } from "../contract.js" */
/** @import { Reviewed } from "./columns.js" */

const HIGH = 200;
const WIDE = 1200;
/** The narrowest a cell may be, in pixels: a glyph, or a card in signs (10♠). */
const NARROW = 21;
const ROOMY = 38;

/** @param {Reviewed & {at: number, step: (to: number) => void}} props */
export function ChancesLine({ review, record, seat, mine, game, narration, at, step }) {
  const chances = review.chances;
  const rounds = cells(review, record, game);
  const points = [
    { value: chances[0].before, error: chances[0].error },
    ...chances.map((/** @type {any} */ each) => ({ value: each.after, error: each.error_after })),
  ];
  const places = [0, ...rounds.flatMap(({ first, last }, round) => within(round, last - first + 1, rounds.length))];
  const fair = 1 / record.seats.length;
  const here = chances[at];
  const x = (places[at + 1] ?? 1) * 100;
  const name = narration.names(seat);
  const label = mine ? t("review.chances") : t("review.chances_name", { name });
  const [from, to] = [points[0], points[points.length - 1]].map(({ value }) => percent(value));
  const scroller = useElement();
  useEffect(() => {
    const box = scroller.current;
    if (box) box.scrollTo({ left: (box.scrollWidth * x) / 100 - box.clientWidth / 2 });
  }, [at]);
  return html`<figure class="chances">
    <figcaption class="small quiet">${label}</figcaption>
    <div class="chances-scale small quiet numbers" aria-hidden="true">
      <span style=${{ "--y": 0 }}>${percent(1)}</span>
      <span style=${{ "--y": 1 - fair }}>${record.seats.length === 2 ? t("review.even") : percent(fair)}</span>
      <span style=${{ "--y": 1 }}>0</span>
    </div>
    ${
      here &&
      html`<p class="chances-say small" style=${{ "--x": x / 100 }} data-late=${x > 50}>
        <b class="numbers">${percent(here.before)} → ${percent(here.after)}</b>
        ${here.error_after > 0.005 && html` <span class="quiet numbers">±${percent(2 * here.error_after)}</span>`}
        ${" "}
        <span class="quiet">${caption(turnedAt(review, record, game, at), seat, mine, game, narration)}</span>
      </p>`
    }
    <div class="chances-scroll" ref=${scroller}>
      <div
        class="chances-plot"
        style=${{ "--least": `${rounds.length * (review.rounds?.length > 0 ? NARROW : ROOMY)}px` }}
      >
        <svg
          viewBox=${`0 0 ${WIDE} ${HIGH}`}
          preserveAspectRatio="none"
          role="img"
          aria-label=${t("review.chances_of", { label, from, to })}
        >
          <${Curve} points=${points} places=${places} />
          <path class="chances-even" d=${`M0 ${HIGH * (1 - fair)}H${WIDE}`} vector-effect="non-scaling-stroke" />
          ${
            here &&
            html`<path
              class="chances-here"
              d=${`M${(x * WIDE) / 100} 0V${HIGH}`}
              vector-effect="non-scaling-stroke"
            />`
          }
        </svg>
        ${
          here &&
          html`<span class="chances-dot" style=${{ "--x": `${x}%`, "--y": `${(1 - here.after) * HIGH}px` }}></span>`
        }
        <${Strip} cells=${rounds} seat=${seat} seats=${record.seats.length} game=${game} at=${at} step=${step} />
      </div>
    </div>
  </figure>`;
}

/** @param {{points: {value: number, error: number}[], places: number[]}} props */
function Curve({ points, places }) {
  const x = (/** @type {number} */ point) => ((places[point] ?? 1) * WIDE).toFixed(1);
  const y = (/** @type {number} */ chance) => ((1 - Math.min(1, Math.max(0, chance))) * HIGH).toFixed(1);
  const line = points.map(({ value }, point) => `${x(point)} ${y(value)}`).join("L");
  const above = points.map(({ value, error }, point) => `${x(point)} ${y(value + 2 * error)}`);
  const below = points.map(({ value, error }, point) => `${x(point)} ${y(value - 2 * error)}`).reverse();
  return html`
    <path class="chances-fill" d=${`M0 ${HIGH}L${line}L${WIDE} ${HIGH}Z`} />
    ${
      points.some(({ error }) => error > 0) &&
      html`<path class="chances-doubt" d=${`M${[...above, ...below].join("L")}Z`} />`
    }
    <path class="chances-line" d=${`M${line}`} vector-effect="non-scaling-stroke" />
  `;
}

/** What was turned, in a few words: "your Slave, Ines’s Emperor".
 * @param {Turned[]} turned @param {number} seat @param {boolean} mine @param {GameTable} game
 * @param {NarrationContext} narration */
export function caption(turned, seat, mine, game, narration) {
  const named = (/** @type {Turned} */ each) => {
    const card = game.pickName(each.pick, narration);
    return each.seat === seat && mine
      ? t("review.caption.yours", { card })
      : t("review.caption.name", { name: narration.names(each.seat), card });
  };
  const own = turned.filter((each) => each.seat === seat);
  const others = turned.filter((each) => each.seat !== seat);
  const shown = others.length > 1 ? others.filter(({ won }) => won).slice(0, 1) : others;
  return [...own, ...shown].map(named).join(t("list.comma"));
}

/** Where the decisions of a round end, as parts of the whole width; all rounds are equally wide.
 * @param {number} round @param {number} decisions @param {number} rounds */
const within = (round, decisions, rounds) =>
  Array.from({ length: decisions }, (_, place) => (round + (place + 1) / decisions) / rounds);

/** @typedef {{first: number, last: number, turned: Turned[], won: boolean|null|undefined, result: string}} Cell */

/** The groups under the line: a round of several decisions, or one decision.
 * @param {any} review @param {any} record @param {GameTable} game @returns {Cell[]} */
function cells(review, record, game) {
  const rounds = review.rounds?.length > 0 ? review.rounds : record.picks.map(() => ({ decisions: 1, result: "" }));
  let next = 0;
  return rounds.map((/** @type {any} */ { decisions, won, result }) => {
    const first = next;
    next += decisions;
    return { first, last: next - 1, turned: turnedAt(review, record, game, next - 1), won, result };
  });
}

/** @param {{cells: Cell[], seat: number, seats: number, game: GameTable, at: number,
 *   step: (to: number) => void}} props */
function Strip({ cells: all, seat, seats, game, at, step }) {
  return html`<div class="strip" style=${{ "--columns": `repeat(${all.length}, minmax(0, 1fr))` }}>
    ${all.map(({ first, last, turned, won, result }, round) => {
      const here = first <= at && at <= last;
      return html`<button
        class="strip-cell"
        style=${{ "--rows": `repeat(${seats}, ${seats > 2 ? 22 : 28}px) auto` }}
        aria-pressed=${here}
        aria-label=${t("review.go_to", { n: last + 1 })}
        onClick=${() => step(last)}
      >
        ${shownOrder(seats, seat).map((whose) => {
          const card = turned.find((each) => each.seat === whose);
          const ahead = won === undefined || won === null ? card?.won === true : won === (whose === seat);
          return html`<${Row} card=${card} won=${ahead} own=${whose === seat} result=${result} game=${game} />`;
        })}
        ${won === null && html`<span class="strip-none">${t("review.no_one")}</span>`}
        <span class="strip-number numbers" aria-hidden="true">${round + 1}</span>
      </button>`;
    })}
  </div>`;
}

/** One seat's card; the winner's row is filled.
 * @param {{card: Turned|undefined, won: boolean, own: boolean, result: string, game: GameTable}} props */
function Row({ card, won, own, result, game }) {
  const scored = won && Boolean(result);
  return html`<span class=${won ? "strip-half strip-won" : "strip-half"} data-own=${own} data-scored=${scored}>
    ${card && html`<${game.Pick} pick=${card.pick} size="glyph" />`}
    ${scored && html`<b class="numbers">${result}</b>`}
  </span>`;
}
