// Columns of a review: one play with its judgement, the timing of special cards, how readable a player was.

import { html } from "../html.js";
import { formatNumber, formatSigned, inPoints, percent } from "../numbers.js";
import { Sign } from "../parts/marks.js";
import { opened } from "../table/rule_text.js";
import { t } from "../words.js";

/** @import { GameTable, NarrationContext, Turned } from "../contract.js" */

/** A game, and its review for one seat; `mine`: it is the reader's.
 * @typedef {{record: any, review: any, seat: number, mine: boolean, game: GameTable, narration: NarrationContext}}
 *   Reviewed */

/** A sentence to the reviewed player, or about them by name if another person reads it.
 * @param {string} key @param {boolean} mine @param {string} name @param {Record<string, string|number>} [params] */
const about = (key, mine, name, params) =>
  mine ? t(`review.own.${key}`, params) : t(`review.of_name.${key}`, { ...params, name });

/** One decision: what was turned, what the pick gave away, what the judge would have done.
 * @param {Reviewed & {at: number, step: (by: number) => void, children?: any}} props */
export function ReviewedPlay({ record, review, seat, mine, game, narration, at, step, children }) {
  const joint = record.picks[at] ?? [];
  const judged = review?.picks?.find((/** @type {any} */ each) => each.decision === at + 1);
  const turned = turnedAt(review, record, game, at);
  const name = narration.names(seat);
  const read = review?.chances?.[at]?.read ?? 0;
  const said = (/** @type {any} */ judgement) =>
    read < -0.005 && judgement.cost < 0.0005
      ? t("review.read_here", { points: formatNumber(-100 * read) })
      : cost(judgement, mine, name, isEstimate(review));
  return html`<section class="review-play" aria-live="polite">
    <h2>${t("review.play", { n: at + 1 })}</h2>
    <div class="review-cards" data-many=${turned.length > 4}>
      ${shownOrder(record.seats.length, seat).flatMap((whose) =>
        turned
          .filter((each) => each.seat === whose)
          .map(
            ({ pick, won, given }) => html`<figure data-won=${won}>
              <div class="review-card"><${game.Pick} pick=${pick} size="card" words=${narration.words} /></div>
              <figcaption class="small quiet">
                <bdi>${whose === seat && mine ? t("you") : narration.names(whose)}</bdi>
                <span class="unseen">${game.pickName(pick, narration)}</span>
                ${given && html`<span><${game.Pick} pick=${given} size="glyph" /></span>`}
              </figcaption>
            </figure>`,
          ),
      )}
    </div>
    ${
      joint.includes("resign") &&
      html`<p>
        ${t("event.resigned", { name: narration.names(joint.indexOf("resign") + 1) })}
      </p>`
    }
    ${sentences(review?.events?.[at], game, narration).map((sentence) => html`<p>${sentence}</p>`)}
    ${
      judged &&
      html`<p><b>${said(judged)}</b></p>
        <p class="small quiet">${advice(judged, game, narration, isEstimate(review))}</p>`
    }
    ${expectation(review, at, narration)}
    <p class="review-steps">
      <button class="button second" aria-label=${t("review.before")} onClick=${() => step(-1)}>
        <${Sign} of="back" />
      </button>
      <button class="button second" aria-label=${t("review.after")} onClick=${() => step(1)}>
        <${Sign} of="on" />
      </button>
      <span class="quiet numbers">${t("review.of", { n: at + 1, of: record.picks.length })}</span>
    </p>
    ${children}
  </section>`;
}

/** What a machine at the table had expected of the reviewed player, and why; shown after the game.
 * @param {any} review @param {number} at @param {NarrationContext} narration */
function expectation(review, at, narration) {
  const found = review?.expected?.filter((/** @type {any} */ each) => each.decision === at + 1) ?? [];
  return found.map(
    (/** @type {any} */ each) => html`<div class="review-expected small">
      <p><b>${t("review.expected", { name: narration.names(each.seat) })}</b></p>
      ${each.say.map((/** @type {string} */ sentence) => html`<p class="quiet">${sentence}</p>`)}
    </div>`,
  );
}

/** What everyone saw, in the game's own words. @param {any[]|undefined} events @param {GameTable} game
 * @param {NarrationContext} narration */
export const sentences = (events, game, narration) =>
  (events ?? []).flatMap((event) => {
    const sentence = game.narrate(event, narration);
    return sentence ? [sentence] : [];
  });

/** What a pick cost, in one sentence; nothing is claimed that is not clear.
 * @param {any} judged @param {boolean} mine @param {string} name @param {boolean} estimate */
export function cost({ cost: lost, error, forced, decided, pick, clear }, mine, name, estimate) {
  const points = formatNumber(estimate ? Math.round(Math.abs(lost * 100)) : Math.abs(lost * 100));
  if (pick !== "resign" && decided === "decided") return t("review.decided");
  if (pick !== "resign" && decided && lost < 0.0005) return t(`review.decided.${decided}`);
  if (forced) return t("review.forced");
  if (!clear) return t("review.unclear");
  if (lost < -0.0005) return t("review.gained", { points });
  if (lost < 0.0005) return t(estimate ? "review.same" : "review.perfect");
  if (lost < 0.0045) return about("cost_little", mine, name);
  if (estimate) return about("cost_about", mine, name, { points, error: formatNumber(Math.round(200 * error)) });
  return about(points === formatNumber(1) ? "cost_one" : "cost", mine, name, { points });
}

/** Whether chances were estimated by playing out, not solved. @param {any} review */
const isEstimate = (review) => review.chances.some((/** @type {any} */ each) => each.error > 0);

/** @param {any} judged @param {GameTable} game @param {NarrationContext} narration @param {boolean} estimate */
function advice(judged, game, narration, estimate) {
  const likely = Object.entries(judged.advice ?? {})
    .filter(([, share]) => Number(share) >= 0.005)
    .sort((a, b) => Number(b[1]) - Number(a[1]));
  if (likely.length === 0 || judged.decided === "decided") return "";
  if (estimate && likely[0][0] === judged.pick) return "";
  if (likely.length === 1)
    return t(estimate ? "review.machine" : "review.best", { words: game.pickName(likely[0][0], narration) });
  const words = likely.slice(0, 3).map(([pick, share], place) =>
    t(place === 0 ? "review.advised_first" : "review.advised", {
      pick: game.pickName(pick, narration),
      share: percent(Number(share)),
    }),
  );
  return t("review.best", { words: words.join(t("list.comma")) });
}

/** @param {{timing: {title: string, labels: string[], yours: number[], judges: number[], note: string}, mine: boolean,
 *   name: string}} props */
function Timing({ timing, mine, name }) {
  const most = Math.max(1, ...timing.yours, ...timing.judges);
  return html`
    <h2>${timing.title}</h2>
    <div
      class="bars"
      role="img"
      aria-label=${timing.labels
        .map((label, place) => `${label}: ${timing.yours[place]} / ${formatNumber(timing.judges[place])}`)
        .join(t("list.comma"))}
    >
      ${timing.labels.map(
        (label, place) => html`<div class="bars-pair">
          <span class="bar-own" style=${{ "--h": timing.yours[place] / most }}>
            <b class="numbers">${timing.yours[place]}</b>
          </span>
          <span class="bar-judge" style=${{ "--h": timing.judges[place] / most }}>
            <b class="numbers">${formatNumber(timing.judges[place])}</b>
          </span>
          <span class="bars-label small quiet">${label}</span>
        </div>`,
      )}
    </div>
    <p class="small quiet bars-legend">
      <span class="key-own"></span>${mine ? t("you") : name} <span class="key-judge"></span>${t("review.equilibrium")}
    </p>
    <p class="small quiet">${timing.note}</p>
  `;
}

/** The pattern, what it cost, and how readable that makes the player.
 * @param {Reviewed} props */
export function Readable({ review, seat, mine, narration }) {
  const name = narration.names(seat);
  const { readable, pattern, say } = review;
  return html`<section>
    <h2>${about("readable", mine, name)}</h2>
    ${
      pattern
        ? html`
            <p class="review-pattern display">${opened(pattern.say)}</p>
            <p class="small quiet">
              ${t("review.pattern", {
                low: percent(pattern.low),
                high: percent(pattern.high),
                usual: percent(pattern.usual),
              })}
            </p>
            ${pattern.known && html`<p>${pattern.known}</p>`}
            <p>${pattern.advice}</p>
          `
        : say?.habit && html`<p>${say.habit}</p>`
    }
    ${
      readable &&
      !review.being_read &&
      (readable.tells
        ? html`<${Score} readable=${readable} />`
        : html`<p class="small quiet">${t("review.too_few", { n: readable.picks })}</p>`)
    }
    ${review.timing && html`<${Timing} timing=${review.timing} mine=${mine} name=${name} />`}
  </section>`;
}

/** The number with its interval. @param {{readable: any}} props */
function Score({ readable }) {
  const number = Math.round(readable.number);
  return html`
    <p class="big-number">
      <span class="display numbers">${number}</span> <span class="quiet">${t("review.of_100")}</span>
    </p>
    <div
      class="scale"
      style=${{ "--x": `${number}%`, "--low": `${readable.low}%`, "--high": `${readable.high}%` }}
      aria-hidden="true"
    >
      <i></i><span></span>
    </div>
    <p class="scale-words small quiet"><span>${t("review.closed")}</span><span>${t("review.open_book")}</span></p>
    <p class="small quiet">
      ${t("review.interval", { low: Math.round(readable.low), high: Math.round(readable.high), n: readable.picks })}
    </p>
  `;
}

/** From the start to the end: shares that add up, each with what it means.
 * @param {Reviewed & {names: string[]}} props */
export function Account({ review, seat, mine, names }) {
  const name = names[seat - 1];
  const shares = inPoints(review.account ?? []);
  if (shares.length === 0) return null;
  const other = names.length === 2 ? names[2 - seat] : "";
  const called = (/** @type {string} */ part) => {
    if (part === "choices") return about("choices", mine, name);
    if (part === "others") return other ? t("review.part.other", { name: other }) : t("review.part.others");
    return t(`review.part.${part}`);
  };
  return html`<section>
    <h2>${t("review.account")}</h2>
    <table class="account numbers">
      <tbody>
        ${shares.map(
          ({ part, points, error }) => html`<tr data-part=${part}>
            <th scope="row">
              ${called(part)}
              ${
                !["start", "end"].includes(part) &&
                points !== 0 &&
                html`<small class="quiet">
                  ${t(`review.means.${part === "choices" && isEstimate(review) ? "machine" : part}`)}
                </small>`
              }
            </th>
            <td>
              ${["start", "end"].includes(part) ? percent(points / 100) : formatSigned(points)}
              ${error > 0.005 && html`<small class="quiet">±${formatNumber(Math.round(200 * error))}</small>`}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
    <p class="small quiet">${t("review.judged_by", { judge: review.judge.replaceAll("`", "") })}</p>
  </section>`;
}

// --- what was turned: each seat's card as it lay on the table, and who won it ---

/** What lay on the table, by the game's reading of its events; else the picks themselves.
 * @param {any} review @param {any} record @param {GameTable} game @param {number} at @returns {Turned[]} */
export function turnedAt(review, record, game, at) {
  /** @type {(string|number|null)[]} */
  const joint = record.picks[at] ?? [];
  const turned = game.review?.turned?.(review?.events?.[at] ?? []) ?? [];
  return joint.flatMap((pick, place) => {
    if (pick === null || pick === "resign") return [];
    const found = turned.find(({ seat }) => seat === place + 1);
    if (!found) return [{ seat: place + 1, pick: String(pick), won: false }];
    return [found.pick === String(pick) ? found : { ...found, given: String(pick) }];
  });
}

/** Seats in the order in which they are shown: the one that is reviewed last, nearest to the reader.
 * @param {number} seats @param {number} own */
export const shownOrder = (seats, own) => [
  ...Array.from({ length: seats }, (_, place) => place + 1).filter((seat) => seat !== own),
  own,
];
