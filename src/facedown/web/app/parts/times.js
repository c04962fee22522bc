// Times in words: how long ago, how long still.

import { lang, t } from "../words.js";

const MINUTE = 60_000;

/** @param {number} at @param {number} [now] */
export function ago(at, now = Date.now()) {
  const minutes = Math.max(0, Math.round((now - at) / MINUTE));
  if (minutes < 1) return t("time.now");
  if (minutes < 60) return t("time.minutes", { n: minutes });
  if (minutes < 48 * 60) return t("time.hours", { n: Math.round(minutes / 60) });
  return t("time.days", { n: Math.round(minutes / 60 / 24) });
}

/** @param {number} at */
export const day = (at) => new Intl.DateTimeFormat(lang.value, { dateStyle: "medium" }).format(at);
