// Small notices over a table: the line is down and heals by itself, another tab plays, one is a spectator, a seat is
// away.

import { gameNamed } from "../games.js";
import { html, useEffect, useState } from "../html.js";
import { go } from "../router.js";
import { sitAtNext } from "../state/seating.js";
import { t } from "../words.js";
import { WentOn } from "./going_on.js";
import { Sign } from "./marks.js";
import { machineName } from "./name.js";
import { useWork } from "./use.js";

/** @import { Company } from "../state/company.js" */
/** @import { SeatInfo, Sight } from "../contract.js" */

/** @param {{company: Company, sight: Sight}} props */
export function Line({ company, sight }) {
  const { status } = company.active();
  const { connected, plays } = status.value;
  const { table, seat } = sight;
  return html`
    <div class="lines">
      ${
        !connected &&
        html`<p class="line" role="status">
          <span class="line-dot"></span>${t(sight.placed ? "line.down_sealed" : "line.down")}
        </p>`
      }
      ${
        connected &&
        !plays &&
        seat > 0 &&
        html`<p class="line" role="status">
          ${t("line.elsewhere")} <button class="link" onClick=${() => company.active().link.take()}>
            ${t("line.take")}
          </button>
        </p>`
      }
      ${
        seat > 0 &&
        table.state === "playing" &&
        table.seats.map((each) => html`<${Away} key=${each.seat} company=${company} sight=${sight} away=${each} />`)
      }
      ${
        table.continues &&
        table.turn?.decision === table.continues.decisions + 1 &&
        html`<p class="line" role="status">
          <span><${WentOn} continues=${table.continues} seat=${seat} /></span>
        </p>`
      }
      ${table.next && html`<${Next} company=${company} next=${table.next} />`}
    </div>
    ${
      seat === 0 &&
      table.state === "playing" &&
      html`<p class="line watching">
        <${Sign} of="eye" />${t("line.watching")}
      </p>`
    }
  `;
}

/** The next game is there: whoever played has a seat kept. @param {{company: Company, next: string}} props */
function Next({ company, next }) {
  const follow = useWork(async () => {
    const seats = company.places.peek().map((place) => place.seat);
    if (seats[0] > 0) await sitAtNext(next, seats);
    go(`/t/${next}`);
  });
  return html`<p class="line">
    ${t("line.next")} <button class="link" disabled=${follow.busy} onClick=${follow.run}>${t("line.next_go")}</button>
  </p>`;
}

const LONG_AWAY = 61_000; // the table lets a machine take over for somebody who has been away for a minute

/** Whether something has been so for as long as that. @param {boolean} so @param {number} ms */
function useLong(so, ms) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    const timer = so ? setTimeout(() => setLong(true), ms) : undefined;
    return () => clearTimeout(timer);
  }, [so, ms]);
  return so && long;
}

/** Somebody who left or is away: a machine may take over, if everybody who is still here agrees.
 * @param {{company: Company, sight: Sight,
 *   away: SeatInfo}} props */
function Away({ company, sight, away }) {
  const gone =
    away.kind === "person" && away.seat !== sight.seat && away.replaced_at === null && (away.left || !away.here);
  const long = useLong(gone && !away.left, LONG_AWAY);
  const replace = useWork(async () => {
    const machine = (await gameNamed(sight.table.game))?.usual_machine;
    await company.active().do({ do: "replace", seat: away.seat, machine });
  });
  if (!gone) return null;
  if (away.offer) return html`<${Offer} company=${company} sight=${sight} away=${away} />`;
  return html`<p class="line">
    ${t(away.left ? "line.left" : "line.away", { name: sight.names(away.seat) })}
    ${
      (away.left || long) &&
      html`<button class="link" disabled=${replace.busy} onClick=${replace.run}>
        ${t("line.replace")}
      </button>`
    }
  </p>`;
}

/** A machine was offered: agree, or wait for whoever has not. @param {{company: Company,
 *   sight: Sight, away: SeatInfo}} props */
function Offer({ company, sight, away }) {
  const agree = useWork(() => company.active().do({ do: "agree", seat: away.seat }));
  const { machine, agreed, needed } = /** @type {NonNullable<typeof away.offer>} */ (away.offer);
  const missing = needed.filter((seat) => !agreed.includes(seat));
  const params = { name: sight.names(away.seat), machine: machineName(sight.table.game, machine) };
  return html`<p class="line">
    ${t("line.offer", params)}
    ${
      missing.includes(sight.seat) &&
      html`<button class="link" disabled=${agree.busy} onClick=${agree.run}>
        ${t("line.agree")}
      </button>`
    }
    ${
      !missing.includes(sight.seat) &&
      html`<span class="quiet">
        <bdi>${t("line.waits_for", { names: missing.map(sight.names).join(t("list.comma")) })}</bdi>
      </span>`
    }
  </p>`;
}
