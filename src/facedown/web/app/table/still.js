// Drawings that depend on nothing but what they are told: drawn again only where that has changed.
import { html } from "../html.js";

/** @param {Record<string, unknown>} a @param {Record<string, unknown>} b */
const same = (a, b) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]);

/** A component that keeps its drawing as long as its properties are the same.
 * @template {Record<string, any>} P
 * @param {(props: P) => any} Drawing @returns {(props: P) => any} */
export function still(Drawing) {
  /** @this {any} @param {P} props */
  return function Still(props) {
    this.shouldComponentUpdate = (/** @type {P} */ next) => !same(this.props, next);
    return html`<${Drawing} ...${props} />`;
  };
}
