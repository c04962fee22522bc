// Preact with its hooks and signals, `html` for markup without a build step, `onValue` and `onSubmit` for
// forms, `useElement`, `useTimer`, and `memo`.

import htm from "htm";
import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);

export { batch, computed, effect, signal } from "@preact/signals";
export { render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** A place for an element, to be the `ref` in its markup. @returns {{current: HTMLElement|null}} */
export const useElement = () => useRef(/** @type {HTMLElement|null} */ (null));

/** Calls back once after so many ms; again when `keys` change, and not at all while there is no time.
 * @param {number|null} ms @param {() => void} then @param {unknown[]} keys */
export function useTimer(ms, then, keys) {
  useEffect(() => {
    if (ms === null) return undefined;
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  }, keys);
}

/** Handler of a field's events that receives the field's value. @param {(value: string) => void} handle
 * @returns {(event: {currentTarget: HTMLInputElement|HTMLSelectElement}) => void} */
export const onValue =
  (handle) =>
  ({ currentTarget }) =>
    handle(currentTarget.value);

/** Handler of a form that is sent by a script: the page stays. @param {() => unknown} send
 * @returns {(event: Event) => void} */
export const onSubmit = (send) => (event) => {
  event.preventDefault();
  send();
};

/** @param {Record<string, unknown>} a @param {Record<string, unknown>} b */
const same = (a, b) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]);

/** A component that is rendered again only when a property has changed; `preact/compat`, which has it, is not
 *   vendored.
 * @template {Record<string, any>} P
 * @param {(props: P) => any} Drawing @returns {(props: P) => any} */
export function memo(Drawing) {
  /** @this {any} @param {P} props */
  return function Memo(props) {
    this.shouldComponentUpdate = (/** @type {P} */ next) => !same(this.props, next);
    return html`<${Drawing} ...${props} />`;
  };
}
