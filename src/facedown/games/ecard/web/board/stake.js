// Choosing the stake out of the legal numbers: by slider, by two buttons, or by arrow keys.

import { html, useRef, useState } from "/app/html.js";
import { nothing, useKeys } from "/app/table/input.js";

/** @import { Words } from "/app/contract.js" */

/** Enter names the stake once a number has been chosen; before that it only moves the focus to the button.
 * @param {{legal: string[], words: Words, name: (pick: string) => void, calm: (key: string) => boolean}} props */
export function Stake({ legal, words, name, calm }) {
  const [at, setAt] = useState(-1);
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  const chosen = at >= 0;
  const place = Math.max(0, Math.min(at, legal.length - 1));
  const stake = legal[place];
  const step = (/** @type {number} */ by) => setAt(Math.max(0, Math.min(legal.length - 1, place + by)));
  useKeys((key, onControl) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key];
    if (by !== undefined) return () => step(by);
    if (!chosen && !onControl && calm(key)) return nothing;
    if (key === "Enter" && !onControl) return () => (chosen ? name(stake) : button.current?.focus());
    return null;
  });
  return html`<div class="ec-stake" role="group" aria-label=${words("stake.name")}>
    <p class="ec-stake-ask">${words("stake.ask", { most: legal[legal.length - 1] })}</p>
    <div class="ec-stake-row">
      <button
        type="button"
        class="ec-step"
        aria-label=${words("stake.less")}
        disabled=${place === 0}
        onClick=${() => step(-1)}
      >
        −
      </button>
      <output class="ec-stake-number">${stake}</output>
      <button
        type="button"
        class="ec-step"
        aria-label=${words("stake.more")}
        disabled=${place === legal.length - 1}
        onClick=${() => step(1)}
      >
        +
      </button>
    </div>
    <input
      type="range"
      class="ec-stake-slider"
      min="0"
      max=${legal.length - 1}
      value=${place}
      aria-label=${words("stake.name")}
      aria-valuetext=${stake}
      onInput=${(/** @type {Event & {currentTarget: HTMLInputElement}} */ event) =>
        setAt(Number(event.currentTarget.value))}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && name(stake)}
    />
    <button type="button" class="ec-seal" ref=${button} onClick=${() => name(stake)}>
      ${words("stake.do", { stake })} <kbd aria-hidden="true">↵</kbd>
    </button>
  </div>`;
}
