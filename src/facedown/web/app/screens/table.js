// The table's frame: header, the game's own table in the middle, and around it whatever belongs to every game:
// the waiting room, the curtain, the log and the live region, talk, why?, resigning, the end.

import { useGame } from "../games.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { Bar } from "../parts/bar.js";
import { Curtain } from "../parts/curtain.js";
import { Ending } from "../parts/ending.js";
import { LeaveSheet } from "../parts/leaving.js";
import { Line } from "../parts/line.js";
import { Live } from "../parts/live.js";
import { Lobby } from "../parts/lobby.js";
import { LogSheet, TalkSheet } from "../parts/log.js";
import { DeviceSheet } from "../parts/other_device.js";
import { KeysSheet, ResignSheet, WhySheet } from "../parts/sheets.js";
import { TableBar } from "../parts/table_bar.js";
import { Trouble } from "../parts/trouble.js";
import { useTurnTitle } from "../parts/turn_title.js";
import { motion } from "../settings.js";
import { acts } from "../state/acts.js";
import { openSeats } from "../state/company.js";
import { useKeys } from "../table/use_keys.js";
import { lang, t, wordsOf } from "../words.js";

/** @import { Company } from "../state/company.js" */
/** @import { Sight } from "../contract.js" */

/** @type {Record<string, string>} */
const SHEET_KEYS = { "?": "keys", l: "log", L: "log", t: "talk" };

/** @param {{table: string}} props */
export function TableScreen({ table }) {
  const company = useMemo(() => openSeats(table), [table]);
  useEffect(() => {
    company.start();
    return () => company.close();
  }, [company]);
  const sight = company.sight.value;
  if (company.trouble.value)
    return html`
      <${Bar} />
      <main class="page">
        <h1>${t("table.trouble")}</h1><${Trouble} error=${company.trouble.value} again=${() => location.reload()} />
      </main>
    `;
  if (!sight) return html`<main class="page" aria-busy="true"><p class="quiet">${t("table.sitting_down")}</p></main>`;
  return html`<${Frame} company=${company} sight=${sight} />`;
}

/** @param {{company: Company, sight: Sight}} props */
function Frame({ company, sight }) {
  const { table, seat } = sight;
  const game = useGame(table.game);
  const [open, setOpen] = useState(/** @type {any} */ (null));
  const words = useMemo(() => wordsOf(table.game), [table.game]);
  const telling = { lang: lang.value, you: seat, names: sight.names, words };
  const act = useMemo(() => acts(company, setOpen), [company]);
  const close = () => setOpen(null);
  useTurnTitle(sight);
  useKeys((key) => {
    const sheet = SHEET_KEYS[key];
    return sheet ? () => setOpen({ sheet }) : null;
  });
  const waiting = table.state === "open" || table.state === "opening";
  return html`<div class="table-frame" data-state=${table.state} data-seat=${seat}>
    <${TableBar} sight=${sight} game=${game} telling=${telling} open=${setOpen} />
    <${Line} company=${company} sight=${sight} />
    <main class="stage" aria-label=${t("table.stage")}>
      ${waiting && html`<${Lobby} sight=${sight} company=${company} />`}
      ${
        !waiting &&
        game &&
        sight.view &&
        !company.curtain.value &&
        html`<${game.Table} key=${seat} sight=${sight} act=${act} words=${words} motion=${motion.value} />`
      }
    </main>
    ${company.curtain.value && html`<${Curtain} name=${sight.names(seat)} lift=${() => company.lift()} />`}
    ${
      table.state === "over" && !sight.revealing && html`<${Ending} sight=${sight} company=${company} words=${words} />`
    }
    <${Live} company=${company} game=${game} telling=${telling} />
    ${open?.sheet === "keys" && html`<${KeysSheet} words=${words} close=${close} />`}
    ${
      open?.sheet === "log" &&
      html`<${LogSheet}
        company=${company}
        sight=${sight}
        game=${game}
        telling=${telling}
        why=${act.why}
        close=${close}
      />`
    }
    ${
      open?.sheet === "talk" && html`<${TalkSheet} sight=${sight} say=${act.say} preset=${act.preset} close=${close} />`
    }
    ${
      open?.sheet === "why" &&
      html`<${WhySheet}
        game=${table.game}
        rules=${table.rules}
        ids=${open.ids}
        sentence=${open.sentence}
        close=${close}
      />`
    }
    ${open?.sheet === "device" && html`<${DeviceSheet} table=${table.id} close=${close} />`}
    ${
      open?.sheet === "leave" &&
      html`<${LeaveSheet} company=${company} sight=${sight} resign=${act.resign} close=${close} />`
    }
    ${
      open?.sheet === "resign" &&
      html`<${ResignSheet}
        resign=${() =>
          company
            .active()
            .resign()
            .catch(() => {})}
        close=${close}
      />`
    }
  </div>`;
}
