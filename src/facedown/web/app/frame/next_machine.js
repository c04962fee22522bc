// After a game against machines: what the character says to the end, and the next opponents, or what is still to be
// found out about this one.

import { html } from "../html.js";
import { Button, ErrorNotice, Link } from "../parts/elements.js";
import { useRequest, useWork } from "../parts/hooks.js";
import { Face } from "../parts/marks.js";
import { go } from "../router.js";
import { findGame } from "../state/games.js";
import { isResident, levelOf, nextOpponents, opponentName, opponentSays } from "../state/opponents.js";
import { playNow } from "../state/seating.js";
import { acquaintance, known } from "../study/house.js";
import { t } from "../words.js";
import { lineOf } from "./talk.js";

/** @import { Sight } from "../contract.js" */
/** @import { GameInfo } from "../net/rest.js" */

/** @param {{sight: Sight}} props */
export function NextMachine({ sight }) {
  const { table, seat } = sight;
  const { value: info } = useRequest(() => findGame(table.game), [table.game]);
  if (!info) return null;
  const others = table.seats.filter((each) => each.seat !== seat);
  const won = table.result?.winner === seat;
  const beaten = won ? others.map(({ machine }) => machine ?? "") : [];
  const speaker =
    others.find((each) => each.seat === table.result?.winner && isResident(info, each.machine ?? "")) ??
    others.find(({ machine }) => isResident(info, machine ?? ""));
  return html`<div class="wrap ending-next">
    ${speaker?.machine && html`<${Farewell} sight=${sight} machine=${speaker.machine} seat=${speaker.seat} />`}
    ${won || !speaker ? html`<${NextTable} info=${info} beaten=${beaten} />` : null}
  </div>`;
}

/** The character's last word, and how well it is known after a game that was not won.
 * @param {{sight: Sight, machine: string, seat: number}} props */
function Farewell({ sight: { table, seat: mine, names }, machine, seat }) {
  const { winner = null } = table.result ?? {};
  const occasion = winner === seat ? "won" : "lost";
  const speaks = table.chat !== false && winner !== null;
  const { value: line } = useRequest(
    () => (speaks ? lineOf(table.game, machine, occasion) : Promise.resolve("")),
    [table.id],
  );
  const { rounds, asks, found } = acquaintance(known.value, table.game, machine);
  const mood = winner === null ? "" : occasion === "won" ? "pleased" : "hit";
  return html`<div class="ending-says">
    <${Face} game=${table.game} machine=${machine} mood=${mood} />
    <div>
      <p class="display">${line ? t("house.quote", { line }) : names(seat)}</p>
      ${
        winner !== mine &&
        !found &&
        rounds > 0 &&
        html`<p class="small soft">
          ${rounds < asks ? t("house.progress", { rounds, asks }) : t("house.ready", { name: names(seat) })}${" "}
          <${Link} class="link" href=${`/house/${table.game}`}>${t("house.title")}<//>
        </p>`
      }
    </div>
  </div>`;
}

/** @param {{info: GameInfo, beaten: string[]}} props */
function NextTable({ info, beaten }) {
  const next = nextOpponents(info, { first: "", beaten });
  const play = useWork(async () => go(`/t/${await playNow(info.name, { against: () => next })}`));
  const name = opponentName(info, next);
  const one = new Set(next).size === 1;
  const level = one && levelOf(info, next[0]);
  if (next.every((each) => beaten.includes(each))) return null;
  return html`
    <div>
      <p class="display">
        ${level ? t("ending.next_level", { name, level: t(`level.${level}`) }) : t("ending.next", { name })}
      </p>
      ${one && html`<p class="small soft">${opponentSays(info, next[0])}</p>`}
    </div>
    <${Button} work=${play}>${one ? t("ending.play", { name }) : t("ending.sit_down")}<//>
    <${ErrorNotice} error=${play.error} />
  `;
}
