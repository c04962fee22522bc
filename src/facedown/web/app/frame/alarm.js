// Alarm of a table: what the server sent does not fit what this browser heard before. Play is stopped; the evidence can
// be kept as a file.

import { html } from "../html.js";
import { t } from "../words.js";

/** @import { Sight } from "../contract.js" */
/** @import { ScreenSeats } from "../state/screen_seats.js" */

/** @param {{screenSeats: ScreenSeats, sight: Sight}} props */
export function AlarmNotice({ screenSeats, sight }) {
  const session = screenSeats.sessions.value.find((each) => each.witness.alarm.value) ?? screenSeats.shared.value;
  const alarm = session?.witness.alarm.value;
  if (!session || !alarm) return null;
  const place = { name: sight.names(alarm.seat ?? 0) || "–", n: alarm.decision ?? 0 };
  const save = () => saveEvidence(`facedown-evidence-${session.table}.json`, session.witness.memory);
  return html`<section class="notice alarm" role="alert" aria-labelledby="alarm-title">
    <h2 id="alarm-title">${t("alarm.title")}</h2>
    <p>${t(`alarm.${alarm.kind}`, place)}</p>
    <p>${t("alarm.stopped")}</p>
    <div class="row">
      <button class="button first" onClick=${save}>${t("alarm.save")}</button>
    </div>
  </section>`;
}

/** @param {string} name @param {unknown} evidence */
function saveEvidence(name, evidence) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(evidence, null, 1)], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
