// Challenge of a person inside the site: which game, how long, and with which clock.

import { Dialog } from "../dialogs/dialog.js";
import { html, useState } from "../html.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { Choices, namedValues } from "../parts/fields.js";
import { useGame, useRequest, useWork } from "../parts/hooks.js";
import { sanitized } from "../phrases.js";
import { go } from "../router.js";
import { allGames, evenRules, titleOf } from "../state/games.js";
import { presetOf } from "../state/opponents.js";
import { CLOCKS } from "../state/seating.js";
import { t, wordsOf } from "../words.js";
import { challenge } from "./people.js";
import { say } from "./words.js";

/** @import { GameInfo } from "../net/rest.js" */
/** @import { Whom } from "./people.js" */

const OFFERED = ["quick", "days", "none"];

/** @param {{name: string, whom: Whom, close: () => void}} props */
export function ChallengeDialog({ name, whom, close }) {
  const { value, error } = useRequest(allGames, []);
  const games = (value ?? []).filter((each) => each.least_seats <= 2);
  const [chosen, setChosen] = useState("");
  const game = games.find((each) => each.name === chosen) ?? games[0];
  return html`<${Dialog} class="challenge" label=${say("challenge.title", { name: sanitized(name) })} close=${close}>
    <h2><bdi>${say("challenge.title", { name: sanitized(name) })}</bdi></h2>
    <p class="quiet">${say("challenge.say")}</p>
    <${ErrorNotice} error=${error} />
    ${
      game &&
      html`
        <${Choices}
          label=${t("new.game")}
          value=${game.name}
          values=${namedValues(
            games.map((each) => each.name),
            titleOf,
          )}
          choose=${setChosen}
        />
        <${Form} key=${game.name} game=${game} whom=${whom} close=${close} />
      `
    }
  <//>`;
}

/** @param {{game: GameInfo, whom: Whom, close: () => void}} props */
function Form({ game, whom, close }) {
  const lengths = useGame(game.name)?.lengths;
  const [preset, setPreset] = useState(presetOf(game).name);
  const [clock, setClock] = useState(OFFERED[0]);
  const send = useWork(async () => {
    go(await challenge(whom, { game: game.name, rules: await evenRules(game, preset), clock: CLOCKS[clock] }));
  });
  return html`
    ${
      lengths &&
      html`<${Choices}
        label=${t("home.length")}
        value=${preset}
        values=${namedValues(lengths, (each) => wordsOf(game.name)(`length.${each}`))}
        choose=${setPreset}
      />`
    }
    <${Choices}
      label=${t("new.clock")}
      value=${clock}
      values=${namedValues(OFFERED, (each) => t(`new.clock.${each}`))}
      choose=${setClock}
    />
    <${ErrorNotice} error=${send.error} />
    <div class="row">
      <${Button} work=${send} class="button first">${say("challenge.send")}<//>
      <button class="button" onClick=${close}>${t("cancel")}</button>
    </div>
  `;
}
