// Picture of a result: one SVG in the product's fonts with the deciding cards, who won, the story and the course of the
// game; as markup, and as a PNG to send.

import { html, render } from "../html.js";
import { resultHeadline, unnamed } from "../phrases.js";
import { opened } from "../table/rule_text.js";
import { storyText } from "./story.js";
import { BrokenSeal, heightOf, sealHeight, spread, stepPath } from "./trace.js";

/** @import { GameTable, Outline, Words } from "../contract.js" */
/** @import { TableInfo } from "../net/protocol.js" */

const WIDE = 1200;
const HIGH = 630;
const INK = "#12100e";
const BONE = "#efe6d2";
const SOFT = "#c9bfae";
const ASH = "#9b9384";
const FRAMED = `fill="none" stroke="${BONE}" stroke-width="2"`;
const PLOT = { x: 72, y: 282, wide: 560, high: 128 };

/** The fonts of the page's language, as its style sheet names them. @param {"--display"|"--plain"} which */
export const fontNames = (which) =>
  getComputedStyle(document.documentElement).getPropertyValue(which).replaceAll('"', "'");
const serif = () => `font-family="${fontNames("--display")}"`;
const plain = () => `font-family="${fontNames("--plain")}"`;

/** The names that anyone may see: machines, the one who shares the game and the winner, and all of a drawn game.
 * No one else publishes that a person has lost; the server goes by the same rule.
 * @param {{seats: {kind: string}[], result?: TableInfo["result"]}} table
 * @param {number} sharer 0 for a spectator
 * @param {(seat: number) => string} names @returns {(seat: number) => string} */
function publicNames({ seats, result }, sharer, names) {
  const shown = (/** @type {number} */ seat) =>
    !result?.winner || seat === sharer || seat === result.winner || seats[seat - 1]?.kind === "machine";
  return (seat) => (shown(seat) ? names(seat) : unnamed(seat, seats.length));
}

/** What a picture shows, with the names that it may. `outline` is from the view of the one who shares it.
 * @typedef {{title: string, headline: string, story: string, outline: Outline|null, game: GameTable, words: Words,
 *   you: number, winner: number|null, names: (seat: number) => string}} Result */

/** @param {{table: TableInfo, view: any, game: GameTable, words: Words, you: number, title: string,
 *   names: (seat: number) => string}} of @returns {Result} */
export function resultOf({ table, view, game, words, you, title, names: all }) {
  const names = publicNames(table, you, all);
  const outline =
    view?.outcome && game.outline ? game.outline(view, { you, names, words, view }, table.story?.step ?? 0) : null;
  const result = table.result ?? { winner: null };
  return {
    ...{ title, game, words, you, names, winner: result.winner, outline },
    headline: opened(resultHeadline({ game: table.game, result, mine: 0, names })),
    story: opened(storyText(table.story, game, { you: 0, names, words, view })),
  };
}

/** @param {unknown} text */
const escapeXml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The size at which a text is not wider than this. @param {string} text @param {number} most @param {number} wide */
function fitting(text, most, wide) {
  const ems = [...text].reduce((sum, sign) => sum + (sign > "⺀" ? 1 : 0.54), 0);
  return Math.min(most, Math.floor(wide / Math.max(1, ems)));
}

/** A line of text that fits. @param {string} text @param {{y: number, size: number, wide: number, colour: string,
 *   font?: string}} at */
function line(text, { y, size, wide, colour, font = serif() }) {
  const fit = fitting(text, size, wide);
  return `<text x="72" y="${y}" fill="${colour}" font-size="${fit}" ${font}>${escapeXml(text)}</text>`;
}

/** The drawing of a component as markup that needs no style sheet; empty if it draws no picture.
 * @param {any} component @param {string} place its attributes */
export function drawing(component, place) {
  const host = Object.assign(document.createElement("div"), { className: "unseen" });
  document.body.append(host);
  render(component, host);
  const svg = host.querySelector("svg");
  for (const text of svg?.querySelectorAll("text") ?? []) {
    const { fontFamily, fontSize, fontWeight, letterSpacing } = getComputedStyle(text);
    text.setAttribute("font-family", fontFamily);
    text.setAttribute("font-size", fontSize);
    text.setAttribute("font-weight", fontWeight);
    text.setAttribute("letter-spacing", letterSpacing);
  }
  const colour = svg ? `color="${getComputedStyle(svg).color}"` : "";
  const inside = [...(svg?.childNodes ?? [])].map((each) => new XMLSerializer().serializeToString(each)).join("");
  const box = svg?.getAttribute("viewBox") ?? "0 0 1 1";
  render(null, host);
  host.remove();
  return inside ? `<svg viewBox="${box}" ${place} ${place.includes("color=") ? "" : colour}>${inside}</svg>` : "";
}

/** The two cards, the beaten one in front if the one who shares has lost. @param {Result} result */
function cards({ outline, game, words, you, winner }) {
  if (!outline) return "";
  const lost = you > 0 && winner !== null && winner !== you;
  const placed = [...outline.cards]
    .sort((one, other) => Number(one.won) - Number(other.won))
    .map(({ pick, won }, place) => {
      const [x, y, wide, turn] =
        won === null
          ? [
              [736, 150, 200, -6],
              [946, 150, 200, 6],
            ][place]
          : place === 0
            ? lost
              ? [740, 226, 200, -24]
              : [722, 168, 196, -13]
            : lost
              ? [930, 110, 208, 5]
              : [906, 112, 228, 5];
      const card = drawing(html`<${game.Pick} pick=${pick} size="card" words=${words} />`, `width="210" height="300"`);
      const veil = won === false ? `<rect width="210" height="300" rx="13" fill="#707070" opacity=".5"/>` : "";
      const shade = `<rect x="-4" y="6" width="218" height="306" rx="16" opacity=".35"/>`;
      const size = wide / 210;
      return `<g transform="translate(${x} ${y}) rotate(${turn} ${wide / 2} ${wide * 0.71}) scale(${size})">${
        shade
      }${card}${veil}</g>`;
    });
  const seal =
    outline.loud && !lost && game.Seal
      ? drawing(html`<${game.Seal} />`, `x="706" y="86" width="452" height="440"`)
      : "";
  return seal + (lost ? placed.reverse() : placed).join("");
}

/** The lines of the course, the broken seal, what they end in, and the cells. @param {Result} result */
function course({ outline, game, words, you, winner, names }) {
  const steps = Math.max(0, ...(outline?.lines ?? []).map(({ values }) => values.length - 1));
  if (!outline || steps < 1) return "";
  const { x, y, high } = PLOT;
  const wide = outline.names ? PLOT.wide - 60 : PLOT.wide;
  const height = heightOf(outline.lines);
  const ends = spread(outline.lines.map(({ values }) => height(values.at(-1) ?? 0)));
  const scaled = `transform="translate(${x} ${y}) scale(${wide / steps} ${high})" vector-effect="non-scaling-stroke"`;
  const lines = outline.lines.map(({ seat, values }, i) => {
    const own = seat === (you || winner);
    const look = own ? `stroke="${BONE}" stroke-width="3"` : `stroke="${ASH}" stroke-width="2" stroke-dasharray="3 4"`;
    const label = outline.names ? names(seat) : values.at(-1);
    const font = outline.names ? `font-size="17" ${plain()}` : `font-size="30" ${serif()}`;
    return `<path d="${stepPath(values, height, steps)}" fill="none" ${look} ${scaled}/><text x="${x + wide + 12}" y="${
      y + ends[i] * high
    }" dy=".35em" fill="${own ? BONE : ASH}" ${font}>${escapeXml(label)}</text>`;
  });
  const at = [x + ((outline.step - 0.5) / steps) * wide - 14, y + sealHeight(outline, winner) * high - 14];
  const seal = drawing(
    html`<svg viewBox="0 0 20 20"><${BrokenSeal} /></svg>`,
    `x="${at[0]}" y="${at[1]}" width="28" height="28"`,
  );
  return `<path d="M0 1H${steps}" stroke="#3a342d" ${scaled}/>${lines.join("")}${outline.step ? seal : ""}${cells(
    outline,
    game,
    words,
    steps,
  )}`;
}

/** @param {string} colour */
const inked = (colour) => `width="16" height="16" color="${colour}" fill="${colour}"`;

/** @param {Outline} outline @param {GameTable} game @param {Words} words @param {number} steps */
function cells({ cells: all = [], step }, game, words, steps) {
  const { x, y, wide, high } = PLOT;
  const [each, half] = [wide / steps, 30];
  return all
    .map((halves, i) => {
      const left = x + i * each + 2;
      const drawn = halves.map(({ pick, won, text }, place) => {
        const top = y + high + 14 + place * half;
        const own = place === halves.length - 1;
        const [ground, colour] = !won ? ["#1d1a17", ASH] : own ? [BONE, INK] : ["#4b4339", BONE];
        const mark =
          each > 60 || !text
            ? drawing(
                html`<${game.Pick} pick=${pick} size="glyph" words=${words} />`,
                `x="${left + (each > 60 ? 10 : each / 2 - 10)}" y="${top + 7}" ${inked(colour)}`,
              )
            : "";
        const [at, anchor] = each > 60 ? [left + each - 14, "end"] : [left + each / 2 - 2, "middle"];
        const font = `font-size="16" font-weight="600" ${plain()}`;
        return `<rect x="${left}" y="${top}" width="${each - 4}" height="${half}" fill="${ground}"/>${mark}
          <text x="${at}" y="${top + 21}" text-anchor="${anchor}" fill="${colour}" ${font}>${escapeXml(text)}</text>`;
      });
      const frame =
        i + 1 === step
          ? `<rect x="${left - 2}" y="${y + high + 12}" width="${each}" height="${half * 2 + 4}" rx="6" ${FRAMED}/>`
          : "";
      return drawn.join("") + frame;
    })
    .join("");
}

/** A picture of 1200 × 630, the size that previews have. @param {Result} result @param {string} [fonts] */
export function resultSvg(result, fonts = "") {
  const { title, headline, story, you, winner } = result;
  const defs = [...document.querySelectorAll("body > div > svg > defs")].map((each) => each.innerHTML).join("");
  const lit = winner !== null && (you === 0 || winner === you);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${HIGH}" viewBox="0 0 ${WIDE} ${HIGH}">`,
    `<style>${fonts}</style><defs>${defs}<radialGradient id="lamp"><stop stop-color="#3d2f1d"/>`,
    `<stop offset="1" stop-color="${INK}"/></radialGradient></defs>`,
    `<rect width="${WIDE}" height="${HIGH}" fill="${INK}"/>`,
    lit ? `<ellipse cx="930" cy="310" rx="520" ry="400" fill="url(#lamp)"/>` : "",
    cards(result),
    line(title, { y: 88, size: 24, wide: 600, colour: SOFT, font: plain() }),
    line(headline, { y: 176, size: 76, wide: 624, colour: BONE }),
    line(story, { y: 228, size: 28, wide: 624, colour: SOFT }),
    course(result),
    `<text x="72" y="580" fill="${BONE}" font-size="28" ${serif()}>Facedown</text>`,
    "</svg>",
  ].join("");
}

/** The fonts of the page as rules that carry them along; a picture reaches no other file. */
export async function fontRules() {
  const rules = [...document.styleSheets].flatMap((sheet) => rulesOf(sheet)).filter((each) => each.src);
  return (await Promise.all(rules.map(carried))).join("");
}

/** The fonts that a style sheet and its imports name. @param {CSSStyleSheet} sheet
 * @returns {{family: string, weight: string, src: string}[]} */
function rulesOf(sheet) {
  return [...sheet.cssRules].flatMap((rule) => {
    if (rule instanceof CSSImportRule && rule.styleSheet) return rulesOf(rule.styleSheet);
    if (!(rule instanceof CSSFontFaceRule)) return [];
    const [family, weight, src] = ["font-family", "font-weight", "src"].map((each) =>
      rule.style.getPropertyValue(each),
    );
    const [, path = ""] = /url\("?([^")]+)/.exec(src) ?? [];
    return [{ family, weight, src: path && new URL(path, sheet.href ?? document.baseURI).href }];
  });
}

/** @param {{family: string, weight: string, src: string}} font */
async function carried({ family, weight, src }) {
  const blob = await (await fetch(src)).blob();
  const data = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
  return `@font-face{font-family:${family};font-weight:${weight};src:url(${data})}`;
}

/** @param {string} svg */
export const svgAddress = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** The same as a PNG; null if the browser cannot draw it. @param {string} svg @returns {Promise<File|null>} */
export async function pngOf(svg) {
  const picture = new Image(WIDE, HIGH);
  picture.src = svgAddress(svg);
  try {
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    const blob = await new Promise((/** @type {(made: Blob|null) => void} */ done) => canvas.toBlob(done, "image/png"));
    return blob && new File([blob], "facedown.png", { type: "image/png" });
  } catch {
    return null;
  }
}
