// Review screen: the chart of winning chances, each play with its judgement, timing, predictability, and the
// verification of the deal.

import english from "/words/review/en.js";
import { html, useMemo, useState } from "../html.js";
import { get, guestSession, hadSession, tablePath } from "../net/api.js";
import { isLocal } from "../net/place.js";
import { Button, ErrorNotice, Link } from "../parts/elements.js";
import { useGame, useRequest, useTitle, useWork } from "../parts/hooks.js";
import { Seal } from "../parts/marks.js";
import { storyText } from "../parts/story.js";
import { distinctNames, resultHeadline, rulesName } from "../phrases.js";
import { ChancesLine } from "../review/chances.js";
import { Account, Readable, ReviewedPlay } from "../review/columns.js";
import { ContinueButton, ContinuedFrom } from "../review/continuing.js";
import { Verification } from "../review/verification.js";
import { go } from "../router.js";
import { ShareDialog } from "../share/dialog.js";
import { allGames, games } from "../state/games.js";
import { savedSeat, savedSeats } from "../state/saved_seats.js";
import { commandAs, sitAtNext } from "../state/seating.js";
import { useKeys } from "../table/input.js";
import { addReviewWords, gameWord, lang, t, wordsOf } from "../words.js";

/** @import { GameTable } from "../contract.js" */
/** @import { Story } from "../net/protocol.js" */
/** @import { Asked } from "../parts/hooks.js" */

export const loadReviewWords = () => addReviewWords(english);

/** @param {{table: string, seat?: string}} props */
export function ReviewScreen({ table, seat: asked }) {
  const record = useRequest(async () => {
    if (hadSession()) await guestSession();
    return get(`${tablePath(table)}/record`);
  }, [table]);
  const seat = Number(asked) || 1;
  const review = useRequest(() => get(`${tablePath(table)}/review?seat=${seat}`), [table, seat, lang.value]);
  const game = useGame(record.value?.game);
  const snap = useRequest(() => get(tablePath(table)), [table]);
  /** @type {number[]} */
  const yours = snap.value?.table.yours ?? [];
  const mine = savedSeat(table, seat).token !== null || yours.includes(seat);
  const goesOn = mine ? seat : (yours[0] ?? seat);
  useTitle(t("review.title"));
  return html`
    <header class="bar">
      <div class="brand">
        <${Link} href="/" aria-label=${t("bar.home")}><${Seal} /><//><span class="display">${t("review.title")}</span>
      </div>
      <nav aria-label=${t("bar.nav")}><${Link} href="/">${t("bar.home")}<//></nav>
    </header>
    <main class="page review">
      <${ErrorNotice} error=${record.error} again=${record.again} />
      ${!record.value && record.loading && html`<p class="quiet">${t("review.loading")}</p>`}
      ${
        record.value &&
        game &&
        html`<${Reviewed}
          table=${table}
          seat=${seat}
          mine=${mine}
          goesOn=${goesOn}
          record=${record.value}
          story=${snap.value?.table.story}
          review=${review}
          game=${game}
        />`
      }
    </main>
  `;
}

/** @param {{table: string, seat: number, mine: boolean, goesOn: number, record: any, review: Asked<any>,
 *   story: Story|null|undefined, game: GameTable}} props */
function Reviewed({ table, seat, mine, goesOn, record, story, review, game }) {
  const [at, setAt] = useState(0);
  const last = Math.max(0, record.picks.length - 1);
  const step = (/** @type {number} */ by) => setAt((now) => Math.min(last, Math.max(0, now + by)));
  const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => setAt(0), End: () => setAt(last) };
  useKeys((key) => keys[/** @type {keyof typeof keys} */ (key)]);
  const names = useMemo(() => distinctNames(record.game, record.seats), [record, lang.value]);
  const narration = {
    you: mine ? seat : 0,
    names: (/** @type {number} */ each) => names[each - 1] ?? "",
    words: wordsOf(record.game),
  };
  const reviewed = { record, review: review.value, seat, mine, game, narration };
  const explored = review.value?.chances?.[at]?.at;
  return html`
    <${Headline} ...${{ table, seat, mine, record, names }} story=${storyText(story, game, narration)} />
    <${Seats} table=${table} seat=${seat} names=${names} />
    ${review.loading && html`<p class="quiet" role="status">${t("review.working")}</p>`}
    ${
      review.error &&
      (["not_now", "unsupported"].includes(String(review.error.code))
        ? html`<p class="quiet">${t("review.none")}</p>`
        : html`<${ErrorNotice} error=${review.error} again=${review.again} />`)
    }
    ${review.value?.chances?.length > 0 && html`<${ChancesLine} ...${reviewed} at=${at} step=${setAt} />`}
    <div class="review-columns">
      <${ReviewedPlay} ...${reviewed} at=${at} step=${step}>
        ${record.result && html`<${StudyLinks} table=${table} record=${record} at=${explored} />`}
        ${record.result && html`<${ContinueButton} table=${table} game=${record.game} seat=${goesOn} at=${at} />`}
      <//>
      ${review.value && html`<${Readable} ...${reviewed} /><${Account} ...${reviewed} names=${names} />`}
      <${Verification} record=${record} game=${game} narration=${narration} />
    </div>
  `;
}

/** Links from a finished game to the explorer and the trainer, if its game has them.
 * @param {{table: string, record: any, at?: string}} props */
function StudyLinks({ table, record, at = "" }) {
  useRequest(allGames, []);
  const info = games.value?.find((each) => each.name === record.game);
  const explore = new URLSearchParams({ rules: record.rules, at });
  return html`<p class="home-study small">
    ${info?.explorer && html`<${Link} class="link" href=${`/explore/${record.game}?${explore}`}>${t("study.here")}<//>`}
    ${
      info?.trainer && html`<${Link} class="link" href=${`/train/${record.game}?table=${table}`}>${t("study.game")}<//>`
    }
  </p>`;
}

/** The player reviewed, with links to the others' reviews.
 * @param {{table: string, seat: number, names: string[]}} props */
function Seats({ table, seat, names }) {
  return html`<nav class="wrap review-seats small" aria-label=${t("review.seats")}>
    ${names.map(
      (name, place) => html`<${Link}
        href=${`/review/${table}?seat=${place + 1}`}
        aria-current=${place + 1 === seat ? "page" : undefined}
      >
        <bdi>${name}</bdi>
      <//>`,
    )}
  </nav>`;
}

/** @param {{table: string, seat: number, mine: boolean, record: any, names: string[], story: string}} props */
function Headline({ table, seat, mine, record, names, story }) {
  const again = useWork(async () => {
    const { next } = await commandAs(table, seat, "rematch");
    const here = savedSeats(table);
    const several = here.map((each) => ({ seat: each, name: record.seats[each - 1] }));
    await sitAtNext(next, here.length > 1 ? several : [{ seat }]);
    go(`/t/${next}`);
  });
  const [sharing, setSharing] = useState(false);
  const others = names.filter((_, place) => place !== seat - 1).join(t("list.comma"));
  const title = gameWord(record.game, "title", record.game);
  const rules = rulesName(record);
  const count = record.picks.length;
  const about = {
    title: rules === title ? title : t("review.rules_of", { title, rules }),
    others,
    count: gameWord(record.game, "decisions", t("review.decisions", { count }), { count }),
  };
  return html`
    <div class="wrap review-head">
      <div>
        <h1>
          ${
            record.result
              ? resultHeadline({
                  game: record.game,
                  result: record.result,
                  mine: mine ? seat : 0,
                  names: (each) => names[each - 1] ?? "",
                })
              : t("review.running")
          }
        </h1>
        ${story && html`<p class="lead">${story}</p>`}
        <p class="quiet">${t("review.about", about)}</p>
        ${
          record.continues &&
          html`<p class="quiet">
            <${ContinuedFrom}
              continues=${{ table: record.continues.id, decisions: record.continues.decisions }}
              seat=${seat}
            />
          </p>`
        }
      </div>
      <div class="wrap review-acts">
        ${
          record.result &&
          html`<button class="button second" onClick=${() => setSharing(true)}>${t("review.share")}</button>`
        }
        <a class="button second" href=${recordAddress(table, record)} download=${`${table}.json`}>
          ${t("review.download")}
        </a>
        ${mine && html`<${Button} work=${again} class="button first">${t("ending.rematch")}<//>`}
      </div>
    </div>
    <${ErrorNotice} error=${again.error} />
    ${
      sharing &&
      html`<${ShareDialog} table=${table} seat=${seat} mine=${mine} names=${names} close=${() => setSharing(false)} />`
    }
  `;
}

/** Where the record can be fetched: of a game on this device, the page has it already.
 * @param {string} table @param {any} record */
const recordAddress = (table, record) =>
  isLocal(table)
    ? `data:application/json,${encodeURIComponent(JSON.stringify(record))}`
    : `/api/v1${tablePath(table)}/record`;
