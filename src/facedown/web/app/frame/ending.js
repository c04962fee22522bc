// End of a game: who won, one sentence about it, the cards that decided and the course of the game, then what next.

import { html, useEffect, useElement, useState } from "../html.js";
import { Button, ErrorNotice, Link } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { KeepOffer } from "../parts/keep_offer.js";
import { Sign } from "../parts/marks.js";
import { storyText } from "../parts/story.js";
import { Trace } from "../parts/trace.js";
import { isResigned, resultHeadline } from "../phrases.js";
import { go } from "../router.js";
import { motion } from "../settings.js";
import { sound } from "../sound.js";
import { sitAtNext } from "../state/seating.js";
import { isPress, isSkip, nothing, useCalm, useKeys } from "../table/input.js";
import { callers } from "../table/seats.js";
import { gameWord, t } from "../words.js";
import { NextMachine } from "./next_machine.js";

/** @import { GameTable, NarrationContext, Sight, Outline } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */
/** @import { TableInfo } from "../net/protocol.js" */

const PACE = 90; // ms a step
const WHOLE = 1080; // ms at most, for all steps
const LANDING = 300; // ms, for the seal and the buttons

/** @param {{sight: Sight, screenSeats: ScreenSeats, game: GameTable|null, narration: NarrationContext,
 *   outline: Outline|null}} props */
export function Ending({ sight, screenSeats, game, narration, outline }) {
  const { table, seat } = sight;
  const headline = useElement();
  useEffect(() => {
    // the focused element may be gone with the game: a hand, or the resign button
    if (!document.activeElement || document.activeElement === document.body)
      headline.current?.focus({ preventScroll: true });
  }, []);
  const again = useWork(async () => {
    const { next } = await screenSeats.speaker().do({ do: "rematch" });
    await sitAtNext(next, screenSeats.sitters());
    go(`/t/${next}`);
  });
  const steps = Math.max(1, ...(outline?.lines ?? []).map(({ values }) => values.length)) - 1;
  const pace = Math.min(PACE, WHOLE / Math.max(1, steps));
  const { drawn, finish } = useDrawing(outline ? steps : 0, pace);
  const calm = useCalm(!drawn);
  const plays = seat > 0 || sight.shared;
  useKeys((key, onControl) => {
    if (onControl && isPress(key)) return null;
    if (!drawn) return isSkip(key) ? finish : null;
    if (calm(key)) return nothing;
    return key === "Enter" && plays ? again.run : null;
  });
  const story = storyText(table.story, game, narration);
  const winner = table.result?.winner ?? null;
  const outcome = !winner ? "drawn" : seat === 0 ? "watched" : winner === seat ? "won" : "lost";
  return html`<section
    class="ending"
    aria-label=${t("ending.label")}
    data-outcome=${outcome}
    data-outline=${outline !== null}
    data-drawn=${drawn}
    style=${{ "--pace": `${pace}ms`, "--steps": steps }}
    onClick=${drawn ? undefined : finish}
  >
    ${outline && game && html`<${Deciding} outline=${outline} game=${game} words=${narration.words} />`}
    <div class="ending-words">
      <h2 ref=${headline} tabindex="-1">
        ${table.result && resultHeadline({ game: table.game, result: table.result, mine: seat, names: sight.names })}
      </h2>
      ${story && html`<p class="ending-story">${story}</p>`}
      <${Circumstances} sight=${sight} game=${game} narration=${narration} story=${story} />
      ${
        outline &&
        game &&
        html`<${Trace}
          outline=${outline}
          game=${game}
          words=${narration.words}
          you=${seat}
          winner=${winner}
          call=${callers(seat, sight.names, narration.words).call}
        />`
      }
      <div class="wrap ending-acts">
        ${
          plays &&
          html`<${Button} work=${again} class="button first">
            ${t(table.next ? "ending.accept" : "ending.rematch")} <kbd aria-hidden="true">↵</kbd>
          <//>`
        }
        <${Link} class="button second" href=${`/review/${table.id}?seat=${seat || 1}`}>${t("ending.review")}<//>
        <${ShareButton} sight=${sight} />
        ${!plays && html`<${Link} class="button first" href="/">${t("bar.home")}<//>`}
      </div>
      <${ErrorNotice} error=${again.error} />
      <${Next} sight=${sight} screenSeats=${screenSeats} />
      ${seat > 0 && !sight.shared && html`<${KeepOffer} table=${table.id} />`}
    </div>
  </section>`;
}

/** Whether the ending has been drawn, step by step with a tick each and the seal at last, and how to end the drawing at
 * once. @param {number} steps @param {number} pace ms a step */
function useDrawing(steps, pace) {
  const [drawn, setDrawn] = useState(steps === 0 || motion.value === "less");
  useEffect(() => {
    if (drawn) return undefined;
    const timers = [
      ...Array.from({ length: steps }, (_, i) => setTimeout(() => sound("tick", i / steps), i * pace)),
      setTimeout(() => sound("seal"), steps * pace),
      setTimeout(() => setDrawn(true), steps * pace + LANDING),
    ];
    return () => timers.forEach(clearTimeout);
  }, [drawn]);
  return { drawn, finish: () => setDrawn(true) };
}

/** The two cards of the deciding round, the beaten one in front if the reader has lost.
 * @param {{outline: Outline, game: GameTable, words: NarrationContext["words"]}} props */
function Deciding({ outline: { cards, loud }, game, words }) {
  const { Seal } = game;
  return html`<div class="ending-picture" aria-hidden="true">
    <div class="ending-cards">
      ${loud && Seal && html`<div class="ending-seal"><${Seal} /></div>`}
      ${[...cards]
        .sort((one, other) => Number(one.won) - Number(other.won))
        .map(
          ({ pick, won }, place) => html`<div
            class="ending-card"
            data-place=${place}
            data-state=${won === null ? "level" : won ? "won" : "beaten"}
          >
            <${game.Pick} pick=${pick} size="card" words=${words} />
          </div>`,
        )}
    </div>
  </div>`;
}

/** *Share*; the dialog comes when it is pressed. @param {{sight: Sight}} props */
function ShareButton({ sight: { table, seat, names } }) {
  const [Dialog, setDialog] = useState(/** @type {any} */ (null));
  const open = useWork(async () => {
    const { ShareDialog } = await import("../share/dialog.js");
    setDialog(() => ShareDialog);
  });
  return html`
    <${Button} work=${open}>
      <${Sign} class="ending-share" of="share" />
      ${t("share.share")}
    <//>
    ${
      Dialog &&
      html`<${Dialog}
        table=${table.id}
        seat=${seat || 1}
        mine=${seat > 0}
        names=${table.seats.map((each) => names(each.seat))}
        close=${() => setDialog(null)}
      />`
    }
  `;
}

/** What else is to be said: how it ended if the story does not say it, the series, whether it counts.
 * @param {{sight: Sight, game: GameTable|null, narration: NarrationContext, story: string}} props */
function Circumstances({ sight: { table, view, names }, game, narration, story }) {
  const inHeadline = story || !table.result || isResigned(table.game, table.result);
  const own = view?.outcome && game?.howEnded?.(view, narration);
  const { number } = table.series;
  const said = [
    inHeadline ? "" : (own ?? gameWord(table.game, `ending.${table.result?.termination}`, "")),
    number > 1 ? t("ending.series", { n: number, wins: seriesScore(table, names) }) : "",
    table.continues ? t("ending.went_on") : "",
  ].filter(Boolean);
  return said.length > 0 && html`<p class="ending-more soft">${said.join(" ")}</p>`;
}

/** What comes next: the other's wish for a rematch, or the next machine.
 * @param {{sight: Sight, screenSeats: ScreenSeats}} props */
function Next({ sight, screenSeats }) {
  const { table, seat } = sight;
  if (seat === 0) return null;
  const asker = screenSeats.active().known.value.log.findLast(({ k }) => k === "rematch")?.by;
  const others = table.seats.filter((each) => each.seat !== seat);
  const machines = others.every(({ kind }) => kind === "machine") && !sight.shared;
  if (machines) return html`<${NextMachine} sight=${sight} />`;
  return (
    table.next &&
    html`<p class="wrap ending-next" role="status">
      <bdi>${asker ? t("ending.asked", { name: sight.names(asker) }) : t("notice.next")}</bdi>
    </p>`
  );
}

/** Wins of each seat in the series, this game included; the most first.
 * @param {TableInfo} table @param {(seat: number) => string} names */
function seriesScore({ series, result }, names) {
  const won = series.wins.map((before, i) => ({ seat: i + 1, wins: before + (result?.winner === i + 1 ? 1 : 0) }));
  return won
    .sort((a, b) => b.wins - a.wins)
    .map(({ seat, wins }) => t("ending.series_one", { name: names(seat), wins }))
    .join(t("list.comma"));
}
