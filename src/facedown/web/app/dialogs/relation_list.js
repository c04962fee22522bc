// Settings: whom this person has muted and blocked, and undoing it.

import { html, useEffect } from "../html.js";
import { hadSession } from "../net/api.js";
import { ErrorNotice, Name } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { loadRelations, relations, unrelate } from "../state/relations.js";
import { t } from "../words.js";

export function RelationList() {
  const undo = useWork(unrelate);
  useEffect(() => {
    if (hadSession()) loadRelations().catch(() => {});
  }, []);
  const people = relations.value ?? [];
  if (people.length === 0) return html`<p class="quiet">${t("relations.nobody")}</p>`;
  return html`
    <ul class="plain">
      ${people.map(
        (each) => html`<li key=${each.id} class="row">
          <span><b><${Name}>${each.name}<//></b> <span class="quiet">${t(`relations.${each.kind}`)}</span></span>
          <button
            class="link"
            disabled=${undo.busy}
            aria-label=${t("relations.undo_of", { name: each.name })}
            onClick=${() => undo.run(each.id)}
          >
            ${t("relations.undo")}
          </button>
        </li>`,
      )}
    </ul>
    <${ErrorNotice} error=${undo.error} />
  `;
}
