// Seats of a new table: people or machines in any mix, on their own devices or all on this one, there by name.

import { html, onValue } from "../html.js";
import { place } from "../net/place.js";
import { Choices, namedValues, Select } from "../parts/fields.js";
import { isResident, opponentLabel, opponentSays, opponents } from "../state/opponents.js";
import { t } from "../words.js";

/** @import { GameInfo } from "../net/rest.js" */

/** @param {{game: GameInfo, sitters: string[], here: boolean, names: string[],
 *   change: (changed: any) => void}} props */
export function Seats({ game, sitters, here, names, change }) {
  const counts = Array.from({ length: game.most_seats - game.least_seats + 1 }, (_, more) =>
    String(game.least_seats + more),
  );
  /** @param {string} count */
  const resize = (count) => {
    const wanted = Number(count);
    const last = sitters[sitters.length - 1];
    const free = isResident(game, last.slice(8)) ? machines(game).filter((each) => !sitters.includes(each)) : [];
    change({ sitters: [...sitters, ...free, ...Array(game.most_seats).fill(last)].slice(0, wanted) });
  };
  const kinds = namedValues(["person", ...machines(game)], (kind) => sitterName(game, kind, here));
  /** @param {number} place @param {string} value */
  const seat = (place, value) => change({ sitters: sitters.map((each, at) => (at === place ? value : each)) });
  return html`
    ${
      place.value === "server" &&
      html`<${Choices}
        label=${t("new.where")}
        value=${here ? "here" : "away"}
        choose=${(/** @type {string} */ value) => change({ here: value === "here" })}
        values=${namedValues(["away", "here"], (where) => t(`new.where.${where}`))}
      />`
    }
    ${
      counts.length > 1 &&
      html`<${Choices}
        label=${t("new.seats")}
        value=${String(sitters.length)}
        values=${namedValues(counts, String)}
        choose=${resize}
      />`
    }
    <div class="field">
      <span class="label">${sitters.length > 2 ? t("new.others") : t("new.other")}</span>
      <div class="wrap sitters">
        ${sitters.slice(1).map(
          (each, place) => html`<label>
            <span class="unseen">${t("seat.number", { seat: place + 2 })}</span>
            <${Select}
              value=${each}
              values=${kinds}
              change=${(/** @type {string} */ value) => seat(place + 1, value)}
            />
          </label>`,
        )}
        <${Sentences} game=${game} sitters=${sitters} />
      </div>
    </div>
    ${here && html`<${Names} sitters=${sitters} names=${names} change=${change} />`}
  `;
}

/** The people at this device, by seat. @param {{sitters: string[], names: string[], change: (changed: any) => void}}
 *   props */
function Names({ sitters, names, change }) {
  /** @param {number} place @param {string} name */
  const rename = (place, name) => {
    const next = Array.from({ length: Math.max(names.length, place + 1) }, (_, i) => names[i] ?? "");
    next[place] = name;
    change({ names: next });
  };
  return html`<fieldset class="field">
    <legend class="label">${t("new.names")}</legend>
    <div class="wrap sitters">
      ${sitters.map(
        (each, place) =>
          each === "person" &&
          html`<input
            type="text"
            maxlength="32"
            autocomplete="off"
            aria-label=${t("new.name_of", { seat: place + 1 })}
            placeholder=${t("seat.number", { seat: place + 1 })}
            value=${names[place] ?? ""}
            onInput=${onValue((value) => rename(place, value))}
          />`,
      )}
    </div>
  </fieldset>`;
}

/** How each chosen machine plays. @param {{game: GameInfo, sitters: string[]}} props */
function Sentences({ game, sitters }) {
  const chosen = machines(game).filter((each) => sitters.includes(each));
  return chosen.map((each) => {
    const name = each.slice(8);
    return html`<p class="small quiet sitter-says" key=${each}>
      ${chosen.length > 1 && html`<b>${opponentLabel(game, name)}</b> `}${opponentSays(game, name)}
    </p>`;
  });
}

/** @param {GameInfo} game */
const machines = (game) => opponents(game).map((each) => `machine:${each.name}`);

/** @param {GameInfo} game @param {string} kind @param {boolean} here */
function sitterName(game, kind, here) {
  if (kind === "person") return t(here ? "new.sitter.here" : "new.sitter.person");
  return t("new.sitter.machine", { name: opponentLabel(game, kind.slice(8)) });
}
