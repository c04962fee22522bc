// Preact, its hooks and signals behind one door, and `html` for markup without a build step.

import htm from "htm";
import { h } from "preact";

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);

export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export { Fragment, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** Class names from what is true: `classes("card", {raised})`.
 * @param {...(string|Record<string, unknown>|null|undefined|false)} parts */
export function classes(...parts) {
  const names = parts.flatMap((part) => {
    if (!part) return [];
    if (typeof part === "string") return [part];
    return Object.keys(part).filter((name) => part[name]);
  });
  return names.join(" ");
}
