// Steps of keeping an account: where one is, and the head of the page, which has the focus when its step begins.

import { html, useEffect, useElement } from "../html.js";
import { TextField, VERBATIM } from "../parts/fields.js";
import { Sign } from "../parts/marks.js";
import { say } from "./words.js";

const STEPS = ["name", "code", "faster"];

/** @param {{at: string}} props */
export function Steps({ at }) {
  const now = STEPS.indexOf(at);
  return html`<ol class="steps" aria-label=${say("keep.steps")}>
    ${STEPS.map(
      (step, place) => html`<li key=${step} aria-current=${place === now ? "step" : undefined}>
        <span class="step-number display">
          ${place < now ? html`<${Sign} of="tick" /><span class="unseen">${say("keep.done")}</span>` : place + 1}
        </span>
        <span class="step-name">${say(`keep.step.${step}`)}</span>
      </li>`,
    )}
  </ol>`;
}

/** Heading and lead of a step; the heading takes the focus, because what had it is gone.
 * @param {{title: any, says: any, still?: boolean}} props `still`: the page was opened here, and keeps its focus */
export function StepHead({ title, says, still = false }) {
  const heading = useElement();
  useEffect(() => {
    if (!still) heading.current?.focus();
  }, []);
  return html`<h1 ref=${heading} tabindex="-1">${title}</h1><p class="lead">${says}</p>`;
}

/** @param {{value: string, change: (value: string) => void, wrong: boolean, about?: string}} props
 *   `about`: the id of what describes it */
export const HandleField = ({ value, change, wrong, about }) => html`<${TextField}
  ...${VERBATIM}
  labelClass="handle-field"
  label=${say("keep.handle")}
  value=${value}
  change=${change}
  autocomplete="username"
  maxlength="64"
  required
  aria-describedby=${about}
  aria-invalid=${wrong ? "true" : undefined}
/>`;
