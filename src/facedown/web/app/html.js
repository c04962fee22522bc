// Preact, its hooks and signals behind one door, and `html` for markup without a build step.

import { h } from "preact";
import htm from "htm";

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);

export { render, Fragment } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";

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
