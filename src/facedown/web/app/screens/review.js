// The review: the winning chances as a line over the game, each play, when the special card fell, how readable one
// was, and the deal verified in this browser.

import { useGame } from "../games.js";
import { html, useMemo, useState } from "../html.js";
import { ask, get, known, session, tablePath } from "../net/api.js";
import { ChancesLine } from "../parts/chances.js";
import { headline } from "../parts/ending.js";
import { GoOn, WentOn } from "../parts/going_on.js";
import { Seal } from "../parts/marks.js";
import { machineName } from "../parts/name.js";
import { Play, Readable, Timing } from "../parts/review_parts.js";
import { Trouble } from "../parts/trouble.js";
import { useAsked, useTitle, useWork } from "../parts/use.js";
import { Verification } from "../parts/verification.js";
import { go, Link } from "../router.js";
import { ulid } from "../state/ids.js";
import { sitAtNext } from "../state/seating.js";
import { keptSeat } from "../state/seats.js";
import { useKeys } from "../table/use_keys.js";
import { gameWord, lang, t, wordsOf } from "../words.js";

/** @import { Asked } from "../parts/use.js" */
/** @import { GameTable } from "../contract.js" */

/** @param {{table: string, seat?: string}} props */
export function ReviewScreen({ table, seat: asked }) {
  const record = useAsked(async () => {
    if (known()) await session();
    return get(`${tablePath(table)}/record`);
  }, [table]);
  const seat = Number(asked) || 1;
  const review = useAsked(() => get(`${tablePath(table)}/review?seat=${seat}`), [table, seat, lang.value]);
  const game = useGame(record.value?.game);
  const snap = useAsked(async () => (known() ? get(tablePath(table)) : null), [table]);
  /** @type {number[]} */
  const yours = snap.value?.table.yours ?? [];
  const mine = keptSeat(table, seat).token !== null || yours.includes(seat);
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
      <${Trouble} error=${record.error} again=${record.again} />
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
          review=${review}
          game=${game}
        />`
      }
    </main>
  `;
}

/** @param {{table: string, seat: number, mine: boolean, goesOn: number, record: any,
 *   review: Asked<any>, game: GameTable}} props */
function Reviewed({ table, seat, mine, goesOn, record, review, game }) {
  const [at, setAt] = useState(0);
  const last = Math.max(0, record.picks.length - 1);
  const step = (/** @type {number} */ by) => setAt((now) => Math.min(last, Math.max(0, now + by)));
  const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => setAt(0), End: () => setAt(last) };
  useKeys((key) => keys[/** @type {keyof typeof keys} */ (key)]);
  const names = useMemo(
    () => record.seats.map((/** @type {string} */ each) => machineName(record.game, each)),
    [record, lang.value],
  );
  const telling = {
    lang: lang.value,
    you: seat,
    names: (/** @type {number} */ each) => names[each - 1] ?? "",
    words: wordsOf(record.game),
  };
  return html`
    <${Headline} table=${table} seat=${seat} mine=${mine} record=${record} names=${names} />
    ${review.loading && html`<p class="quiet" role="status">${t("review.working")}</p>`}
    ${review.error && html`<p class="quiet">${t("review.none")}</p>`}
    ${
      review.value?.chances?.length > 0 &&
      html`<${ChancesLine} review=${review.value} record=${record} seat=${seat} game=${game} at=${at} step=${setAt} />`
    }
    <div class="review-columns">
      <${Play}
        record=${record}
        review=${review.value}
        seat=${seat}
        game=${game}
        telling=${telling}
        at=${at}
        step=${step}
      >
        ${record.result && html`<${GoOn} table=${table} game=${record.game} seat=${goesOn} at=${at} />`}
      <//>
      ${review.value?.timing && html`<${Timing} timing=${review.value.timing} />`}
      ${review.value && html`<${Readable} review=${review.value} />`}
      <${Verification} record=${record} game=${game} />
    </div>
  `;
}

/** The preset by its name, and whether something is changed in it. @param {{game: string, rules: string}} record */
function rulesName({ game, rules }) {
  const preset = rules.split("(")[0];
  const name = gameWord(game, `preset.${preset}.name`, preset);
  return rules === preset ? name : t("home.changed_rules", { name });
}

/** @param {{table: string, seat: number, mine: boolean, record: any, names: string[]}} props */
function Headline({ table, seat, mine, record, names }) {
  const again = useWork(async () => {
    const { token } = keptSeat(table, seat);
    const { next } = await ask(
      "POST",
      `${tablePath(table)}/commands`,
      { id: ulid(), do: "rematch" },
      token ? { "Facedown-Seat": token } : {},
    );
    await sitAtNext(next, [seat]);
    go(`/t/${next}`);
  });
  const [shared, setShared] = useState(false);
  const share = async () => {
    if (navigator.share) return navigator.share({ url: location.href }).catch(() => {});
    await navigator.clipboard?.writeText(location.href);
    setShared(true);
  };
  const others = names.filter((_, place) => place !== seat - 1).join(t("list.comma"));
  const title = gameWord(record.game, "title", record.game);
  return html`
    <div class="review-head">
      <div>
        <h1>
          ${
            record.result
              ? headline({
                  game: record.game,
                  result: record.result,
                  mine: mine ? seat : 0,
                  names: (each) => names[each - 1] ?? "",
                })
              : t("review.running")
          }
        </h1>
        <p class="quiet">${t("review.about", { title, rules: rulesName(record), others, n: record.picks.length })}</p>
        ${
          record.continues &&
          html`<p class="quiet">
            <${WentOn}
              continues=${{ table: record.continues.id, decisions: record.continues.decisions }}
              seat=${seat}
            />
          </p>`
        }
      </div>
      <div class="review-acts">
        <button class="button second" onClick=${share}>${t(shared ? "lobby.copied" : "review.share")}</button>
        <a class="button second" href=${`/api/v1${tablePath(table)}/record`} download=${`${table}.json`}>
          ${t("review.download")}
        </a>
        ${
          mine &&
          html`<button class="button first" disabled=${again.busy} onClick=${again.run}>
            ${t("ending.rematch")}
          </button>`
        }
      </div>
    </div>
    <${Trouble} error=${again.error} />
  `;
}
