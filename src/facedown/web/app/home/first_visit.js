// Home before the first finished game: one sentence, a sealed card and a turning one, one button. The house below it.

import { room, useRoom } from "../anyone/room.js";
import { playAnyone } from "../anyone/search.js";
import { html, useEffect, useElement, useState } from "../html.js";
import { getReady, place } from "../net/place.js";
import { Button, ErrorNotice, Link } from "../parts/elements.js";
import { useGame, useWork } from "../parts/hooks.js";
import { Face, Faces, Sign } from "../parts/marks.js";
import { OfflineNotice, OnDevice } from "../parts/offline.js";
import { YourGames } from "../parts/table_lists.js";
import { isOff } from "../router.js";
import { motion } from "../settings.js";
import { nextOpponents, opponentName } from "../state/opponents.js";
import { Back } from "../table/card_back.js";
import { gameWord, sentences, t, wordsOf } from "../words.js";

/** @import { GameInfo } from "../net/rest.js" */

const BEFORE_TURNING = 400; // ms
const BEFORE_FACES = 1500; // ms

/** @param {{games: GameInfo[], deal: (game: string) => Promise<void>, hasRoom: boolean}} props */
export function FirstVisit({ games: [game, ...others], deal, hasRoom }) {
  const play = useWork((/** @type {string} */ name) => deal(name));
  const anyone = useWork(() => playAnyone(game));
  const title = gameWord(game.name, "title", game.title);
  return html`
    <${OfflineNotice} />
    <div class="home-lists"><${YourGames} /><${OnDevice} /></div>
    <section class="lamp hero" aria-labelledby="says">
      <div>
        <h1 class="home-says" id="says">${sentences(t("home.says"), t("home.says_then"))}</h1>
        <p class="home-lead">${sentences(t("home.lead"), t("home.first.lead"))}</p>
        <div class="wrap hero-go">
          <${PlayNow} game=${game} work=${play} of=${game.name} says=${t("home.first.play", { title })} />
          ${others.map(
            (each) => html`<${Button} work=${play} class="link" of=${each.name}>
              ${t("home.first.or", {
                title: gameWord(each.name, "title", each.title),
                least: each.least_seats,
                most: each.most_seats,
              })}
            <//>`,
          )}
        </div>
        <${ErrorNotice} error=${play.error ?? anyone.error} />
        <div class="wrap hero-more">
          <${WithFriends} game=${game} />
          ${
            place.value === "server" &&
            !isOff("pairing") &&
            html`<${Button} work=${anyone} class="plain with-icon">
              <${Sign} of="people" /><span class="link">${t("home.anyone")}</span>
            <//>`
          }
        </div>
      </div>
      <${Cards} game=${game.name} />
    </section>
    <${House} game=${game} hasRoom=${hasRoom} busy=${play.busy} />
  `;
}

/** Links to a challenge, and to a game on this device. @param {{game: GameInfo}} props */
export const WithFriends = ({ game }) => html`
  ${
    place.value === "server" &&
    html`<${Link} class="plain with-icon" href=${`/new?game=${game.name}&with=friend`}>
      <${Sign} of="link" /><span class="link">${t("home.challenge")}</span>
    <//>`
  }
  <${Link} class="plain with-icon" href=${`/new?game=${game.name}&with=here`}>
    <${Sign} of="swap" /><span class="link">${t("home.pass")}</span>
  <//>
`;

/** The button of *Play now*, with whom it leads to; without a server, Python starts as soon as it is pointed at.
 * @param {{game: GameInfo, says: string, [name: string]: unknown}} props the others are those of the button */
export function PlayNow({ game, says, ...button }) {
  const against = useGame(game.name) ? t("home.against_name", { name: opponentName(game) }) : "\u00a0";
  const prepare = () => place.value === "device" && getReady().catch(() => {});
  return html`<${Button} class="button first big" onPointerEnter=${prepare} onFocus=${prepare} ...${button}>
    <${Faces} game=${game} machines=${nextOpponents(game)} />
    <span>${says}<small>${against}</small></span>
  <//>`;
}

/** A sealed card, and one that turns once the letters on it are there. @param {{game: string}} props */
function Cards({ game }) {
  const table = useGame(game);
  const [isTurned, turn] = useState(motion.value === "less");
  useEffect(() => {
    if (!table || isTurned) return undefined;
    let timer = 0;
    document.fonts.ready.then(() => {
      timer = setTimeout(() => turn(true), BEFORE_TURNING);
    });
    return () => clearTimeout(timer);
  }, [table]);
  const back = html`<svg viewBox="0 0 210 300"><${Back} sealed=${true} /></svg>`;
  return html`<div class="hero-cards" aria-hidden="true">
    ${
      table &&
      html`<div class="hero-card">${back}</div>
        <div class="hero-card" data-turned=${isTurned}>
          <div>${table.poster && html`<${table.Pick} pick=${table.poster} size="card" words=${wordsOf(game)} />`}</div>
          <div>${back}</div>
        </div>`
    }
  </div>`;
}

/** Who is at home: the characters of the game, and how many people are here. The faces are eight pictures: they come
 * when they are in view, and not while a table is on its way.
 * @param {{game: GameInfo, hasRoom: boolean, busy: boolean}} props */
function House({ game, hasRoom, busy }) {
  const section = useElement();
  const [isNear, come] = useState(false);
  useEffect(() => {
    if (busy || isNear || !section.current) return undefined;
    let timer = 0;
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      clearTimeout(timer);
      if (isIntersecting) timer = setTimeout(() => come(true), BEFORE_FACES);
    });
    seen.observe(section.current);
    return () => {
      seen.disconnect();
      clearTimeout(timer);
    };
  }, [busy, isNear]);
  return html`<section class="wrap hero-house" ref=${section}>
    ${
      game.house &&
      html`<div>
        <h2>${t("house.title")}</h2>
        <p class="small soft">${t("home.first.house")}</p>
      </div>
      <${Link} class="wrap plain hero-faces" href=${`/house/${game.name}`} aria-label=${t("home.first.meet")}>
        ${game.machines.map(
          ({ name, resident }) =>
            resident && html`<span key=${name}>${isNear && html`<${Face} game=${game.name} machine=${name} />`}</span>`,
        )}
      <//>`
    }
    ${hasRoom && html`<${Here} />`}
  </section>`;
}

function Here() {
  useRoom();
  const { here = 0, watch } = room.value ?? {};
  return html`<div class="hero-here room-here">
    ${here > 0 && html`<h2>${t("room.here", { count: here })}</h2>`}
    ${
      watch && html`<p class="small"><${Link} class="link" href=${`/t/${watch.table}`}>${t("home.first.watch")}<//></p>`
    }
  </div>`;
}
