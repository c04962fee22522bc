// New table: the challenge of a friend, which opens at once with the usual rules, and the dialog for everything else:
// game, rules, players, clock and spectators, with the verdict on the rules.

import { Dialog } from "../dialogs/dialog.js";
import { html, useEffect, useState } from "../html.js";
import { get, ownName, setOwnName } from "../net/api.js";
import { place } from "../net/place.js";
import { Options, Substitute } from "../new_table/options.js";
import { Seats } from "../new_table/seats.js";
import { Verdict } from "../new_table/verdict.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { Choices, namedValues, OwnName } from "../parts/fields.js";
import { useGame, useWork } from "../parts/hooks.js";
import { go } from "../router.js";
import { evenly, rulesText, tableOf } from "../state/games.js";
import { nextOpponents } from "../state/opponents.js";
import { CLOCKS, closeTable, makeTable, sit } from "../state/seating.js";
import { read, write } from "../storage.js";
import { gameWord, t } from "../words.js";

/** @import { GameInfo, ListedTable, TableOrder } from "../net/rest.js" */

/** @typedef {{preset: string, changed: Record<string, any>, sitters: string[], clock: string,
 *   watch: TableOrder["watch"], lobby: string, here: boolean, substitute: string,
 *   chat: string, seal: "server"|"blind", names: string[]}} Choice
 *   `names`: of those who share this device, by seat */

/** @param {GameInfo} game @param {string} opponent @returns {Choice} */
function usual(game, opponent) {
  const others = nextOpponents(game, { count: game.least_seats - 1 }).map((name) =>
    opponent === "machine" ? `machine:${name}` : "person",
  );
  return {
    preset: game.usual_preset,
    changed: {},
    sitters: ["person", ...others],
    clock: "none",
    watch: "anyone",
    lobby: "invited",
    here: opponent === "here" || place.value === "device",
    substitute: "",
    chat: "on",
    seal: "server",
    names: read("names", [read("name", "")]),
  };
}

/** What the tables that were opened here were ordered with, to change it. @type {Map<string, Choice>} */
const ordered = new Map();

/** @param {{games: GameInfo[], params: Record<string, string>}} props */
export function NewTable({ games, params }) {
  const game = games.find((each) => each.name === params.game);
  if (game && params.with === "friend" && place.value === "server") return html`<${Challenge} game=${game} />`;
  return html`<${Form} games=${games} params=${params} />`;
}

/** Opens a table for a friend at once and leads there. @param {{game: GameInfo}} props */
function Challenge({ game }) {
  const open = useWork(async () => go(`/t/${await challenge(game)}`, { instead: true }));
  useEffect(() => void open.run(), []);
  return html`<${Dialog} class="making" addressed label=${t("home.challenge")} close=${() => go("/")}>
    ${
      open.error
        ? html`<h1>${t("home.challenge")}</h1><${ErrorNotice} error=${open.error} again=${open.run} />`
        : html`<p role="status">${t("new.making")}</p>`
    }
  <//>`;
}

/** The table of a new challenge, or of the last one if no other player has come to it yet. @param {GameInfo} game */
async function challenge(game) {
  const kept = read("challenges", /** @type {Record<string, string>} */ ({}));
  if (kept[game.name] && (await isStillFree(kept[game.name]))) return kept[game.name];
  const { even } = await tableOf(game.name);
  const table = await openTable(game, { ...usual(game, "friend"), changed: evenly(game, game.usual_preset, even) });
  write("challenges", { ...kept, [game.name]: table });
  return table;
}

/** @param {string} table */
async function isStillFree(table) {
  /** @type {{tables: ListedTable[]}} */
  const { tables } = await get("/tables?mine=true");
  const found = tables.find((each) => each.table === table && each.state === "open");
  return found?.seats.filter((each) => each.name).length === 1;
}

/** @param {{games: GameInfo[], params: Record<string, string>}} props `replaces`: the table that this one is for */
function Form({ games, params }) {
  const before = ordered.get(params.replaces);
  const [name, setName] = useState(games.some((each) => each.name === params.game) ? params.game : games[0].name);
  const game = /** @type {GameInfo} */ (games.find((each) => each.name === name));
  const table = useGame(name); // loads its words, too
  const even = params.with === "here" ? undefined : table?.even;
  const [choice, setChoice] = useState(before ?? usual(game, params.with ?? "friend"));
  /** @param {Partial<Choice>} changed */
  const change = (changed) => setChoice((before) => ({ ...before, ...changed }));
  useEffect(() => {
    if (even && !before) change({ changed: { ...evenly(game, choice.preset, even), ...choice.changed } });
  }, [even, game]);
  const [host, setHost] = useState(ownName());
  const open = useWork(async () => {
    if (invites(choice)) await setOwnName(host);
    const table = await openTable(game, choice);
    if (params.replaces) await closeTable(params.replaces).catch(() => {}); // gone already
    go(`/t/${table}`, { instead: Boolean(params.replaces) });
  });
  const rules = rulesText(game, choice.preset, choice.changed);
  /** @param {string} next */
  const play = (next) => {
    setName(next);
    setChoice(usual(/** @type {GameInfo} */ (games.find((each) => each.name === next)), params.with ?? "friend"));
  };
  /** Radio buttons for a part of the choice, and what else each of them changes.
   * @param {"lobby"|"clock"|"watch"|"chat"|"seal"} part @param {string[]} values
   * @param {(value: string) => Partial<Choice>} [also] @param {string} [says] */
  const choosing = (part, values, also = () => ({}), says = "") => html`<${Choices}
    key=${part}
    label=${t(`new.${part}`)}
    value=${choice[part]}
    values=${namedValues(values, (value) => t(`new.${part}.${value}`))}
    choose=${(/** @type {string} */ value) => change({ [part]: value, ...also(value) })}
    says=${says}
  />`;
  const titles = games.map((each) => ({ value: each.name, label: gameWord(each.name, "title", each.title) }));
  const cancel = () => (params.replaces ? history.back() : go("/"));
  const title = t(params.replaces ? "new.change" : "new.title");
  return html`<${Dialog} class="sheet" still addressed label=${title} close=${cancel}>
    <div class="sheet-columns">
      <div class="sheet-form">
        <div class="wrap sheet-head">
          <h1>${title}</h1>
          <${Choices} hideLabel label=${t("new.game")} value=${name} values=${titles} choose=${play} />
        </div>
        <${Presets}
          game=${game}
          chosen=${choice.preset}
          choose=${(/** @type {string} */ preset) => change({ preset, changed: evenly(game, preset, even) })}
        />
        <${Options}
          game=${game}
          preset=${choice.preset}
          changed=${choice.changed}
          change=${(/** @type {any} */ changed) => change({ changed })}
        />
        <${Seats} game=${game} sitters=${choice.sitters} here=${choice.here} names=${choice.names} change=${change} />
        ${invites(choice) && choosing("lobby", ["invited", "open"])}
        ${
          !choice.here &&
          html`
            ${choosing("clock", Object.keys(CLOCKS), (clock) => (isLive(clock) ? {} : { seal: "server" }))}
            ${choosing("watch", ["anyone", "nobody"])}
          `
        }
        ${
          invites(choice) &&
          html`
            ${choosing("chat", ["on", "off"])}
            ${choosing(
              "seal",
              ["server", "blind"],
              (seal) => (seal === "blind" && !isLive(choice.clock) ? { clock: "quick" } : {}),
              t("new.seal.says"),
            )}
            <${Substitute}
              game=${game}
              chosen=${choice.substitute}
              choose=${(/** @type {string} */ substitute) => change({ substitute })}
            />
            <${OwnName} name=${host} change=${setHost} />
          `
        }
        <${ErrorNotice} error=${open.error} />
        ${params.replaces && html`<p class="small quiet">${t("new.replaces")}</p>`}
        <div class="wrap sheet-foot">
          <${Button} work=${open} class="button first">${t("new.open")}<//>
          <button class="button" onClick=${cancel}>${t("cancel")}</button>
        </div>
      </div>
      <${Verdict}
        game=${game}
        rules=${rules}
        sitters=${choice.sitters}
        here=${choice.here}
        set=${(/** @type {string} */ option, /** @type {string} */ value) =>
          change({ changed: { ...choice.changed, [option]: value } })}
      />
    </div>
  <//>`;
}

/** Whether the table needs players from other devices. @param {Choice} choice */
const invites = ({ here, sitters }) => !here && sitters.slice(1).includes("person");

/** Whether all players are present at once: only then can players open the picks they sealed. @param {string} clock */
const isLive = (clock) => clock === "quick" || clock === "slow";

/** @param {{game: GameInfo, chosen: string, choose: (preset: string) => void}} props */
function Presets({ game, chosen, choose }) {
  return html`<fieldset class="presets">
    <legend class="unseen">${t("new.preset")}</legend>
    ${game.presets.map(
      (each) => html`<label class="preset" key=${each.name}>
        <input type="radio" name="preset" checked=${each.name === chosen} onChange=${() => choose(each.name)} />
        <b>${gameWord(game.name, `preset.${each.name}.name`, each.name)}</b>
        <span>${each.meaning}</span>
      </label>`,
    )}
  </fieldset>`;
}

/** Opens the table and sits down at it. @param {GameInfo} game @param {Choice} choice */
async function openTable(game, choice) {
  const seats = choice.sitters.map((each) =>
    each.startsWith("machine:")
      ? { kind: /** @type {const} */ ("machine"), machine: each.slice(8) }
      : { kind: /** @type {const} */ ("person") },
  );
  const made = await makeTable({
    game: game.name,
    rules: rulesText(game, choice.preset, choice.changed),
    seats,
    clock: choice.here ? CLOCKS.none : CLOCKS[choice.clock],
    public: invites(choice) && choice.lobby === "open",
    watch: choice.watch,
    hotseat: choice.here,
    substitute: choice.substitute,
    chat: choice.chat === "on",
    seal: invites(choice) ? choice.seal : "server",
  });
  const own = seats.flatMap((each, place) => (each.kind === "person" ? [place + 1] : []));
  if (choice.here) write("names", choice.names); // the same people play the next time
  for (const seat of choice.here ? own : own.slice(0, 1))
    await sit(made.table, seat, choice.here ? { name: choice.names[seat - 1] || t("seat.number", { seat }) } : {});
  ordered.set(made.table, choice);
  return made.table;
}
