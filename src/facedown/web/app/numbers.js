// Numbers as the language writes them: percent, points with a sign, and shares that add up when rounded.

import { lang } from "./words.js";

/** @param {number} share */
export const percent = (share) =>
  new Intl.NumberFormat(lang.value, { style: "percent", maximumFractionDigits: 0 }).format(share);

/** A share in percent with one digit after the point, always. @param {number} share */
export const tenths = (share) =>
  new Intl.NumberFormat(lang.value, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(share);

/** A number with at most one digit after the point. @param {number} value */
export const formatNumber = (value) => new Intl.NumberFormat(lang.value, { maximumFractionDigits: 1 }).format(value);

/** A number with that many digits after the point, always. @param {number} value @param {number} [digits] */
export const fixed = (value, digits = 1) =>
  new Intl.NumberFormat(lang.value, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** A text of the server, its percentages written as everything else is here. @param {string} text */
export const withOwnPercent = (text) => text.replace(/(\d+\.\d) %/g, (_, points) => tenths(Number(points) / 100));

/** Whole points in 100 with their sign: +56, −3, ±0. @param {number} points */
export const formatSigned = (points) =>
  points === 0 ? "±0" : `${points > 0 ? "+" : "−"}${formatNumber(Math.abs(points))}`;

/** @typedef {{part: string, value: number, error: number}} Share */

/** The account of a game in whole points: the rest takes what rounding leaves, so that the sum is exact.
 * @param {Share[]} account @returns {(Share & {points: number})[]} */
export function inPoints(account) {
  const shown = account.map((each) => ({ ...each, points: Math.round(each.value * 100) + 0 }));
  const end = shown[shown.length - 1];
  const rest = shown.find(({ part }) => part === "luck" || part === "rest");
  if (!end || !rest) return shown;
  const others = shown.filter((each) => each !== end && each !== rest);
  rest.points = end.points - others.reduce((sum, each) => sum + each.points, 0);
  return shown;
}
