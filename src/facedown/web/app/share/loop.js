// The deciding reveal as a film: drawn on a canvas by the time that has passed, and recorded by the browser while it is
// shown. It is the table's own animation in this sense: the same cards, drawn by the game's components, go through the
// same stages (they lie sealed, are lifted, turn together, settle) for as long as the game's table lets them
// (`GameTable.pace`), with the end positions and easing of its style sheet. Nothing is sent anywhere.

import { html } from "../html.js";
import { drawing, fontNames, svgAddress } from "../parts/result_picture.js";
import { Back, Weave } from "../table/card_back.js";

/** @import { Result } from "../parts/result_picture.js" */

/** `draw` shows the film as it is after a number of ms. @typedef {{length: number, draw: (ms: number) => void}} Film */

export const SIDE = 720;
const LENGTH = 3400;
const PACE = { hold: 350, lift: 250, turn: 640, settle: 860 };
const CARD = { wide: 232, high: 332 };
const SEAL = { wide: 490, high: 450 };
const MIDDLE = 290; // of the cards, from the top
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const RATE = 1_200_000; // bits a second: half a megabyte
const [INK, LAMP, BONE, SOFT, GOLD] = ["#12100e", "#4a3822", "#efe6d2", "#c9bfae", "#c9a227"];
const serif = () => fontNames("--display");
const plain = () => fontNames("--plain");

const typeHere = () =>
  typeof MediaRecorder === "function" ? TYPES.find((each) => MediaRecorder.isTypeSupported(each)) : undefined;

/** Whether this browser can make films. */
export const canRecord = () => typeHere() !== undefined && "captureStream" in HTMLCanvasElement.prototype;

/** Whether this result has a reveal to film. @param {Result} result */
export const hasReveal = ({ outline }) => outline !== null && outline.step > 0 && outline.cards.length === 2;

// --- the pictures ---

/** @param {string} inside @param {number} wide @param {number} high @param {string} defs */
async function imageOf(inside, wide, high, defs) {
  const image = new Image(wide, high);
  image.src = svgAddress(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><defs>${defs}</defs>${inside}</svg>`,
  );
  await image.decode();
  return createImageBitmap(image, { resizeWidth: wide, resizeHeight: high });
}

/** The faces in their order, a sealed back, and what lies behind the cards. @param {Result} result
 * @param {string} fonts */
async function picturesOf({ outline, game, words }, fonts) {
  const size = `width="${CARD.wide}" height="${CARD.high}"`;
  const drawn = (outline?.cards ?? []).map(({ pick }) =>
    drawing(html`<${game.Pick} pick=${pick} size="card" words=${words} />`, size),
  );
  const back = drawing(html`<svg viewBox="0 0 210 300"><${Back} sealed=${true} /></svg>`, size);
  const weave = drawing(html`<svg><${Weave} /></svg>`, "");
  const seal =
    outline?.loud && game.Seal ? drawing(html`<${game.Seal} />`, `width="${SEAL.wide}" height="${SEAL.high}"`) : "";
  const provided = [...document.querySelectorAll("body > div > svg > defs")].map((each) => each.innerHTML).join("");
  const defs = `<style>${fonts}</style>${weave.replace(/^<svg[^>]*>|<\/svg>$/g, "")}${provided}`;
  return {
    back: await imageOf(back, CARD.wide, CARD.high, defs),
    faces: await Promise.all(drawn.map((each) => imageOf(each, CARD.wide, CARD.high, defs))),
    seal: seal ? await imageOf(seal, SEAL.wide, SEAL.high, defs) : null,
  };
}

// --- the film ---

/** @param {number} n */
const clamp = (n) => Math.min(1, Math.max(0, n));
/** @param {number} n */
const eased = (n) => 1 - (1 - clamp(n)) ** 3;
/** @param {number} from @param {number} to @param {number} part */
const between = (from, to, part) => from + (to - from) * part;

/** @param {Result} result @param {CanvasRenderingContext2D} canvas @param {string} fonts @returns {Promise<Film>} */
export async function filmOf(result, canvas, fonts) {
  const { outline, game } = result;
  const pace = { ...PACE, ...(outline && game.pace?.(outline)) };
  const lift = pace.hold;
  const turn = lift + pace.lift;
  const settle = turn + pace.turn;
  const length = Math.max(LENGTH, settle + pace.settle + 900);
  const pictures = await picturesOf(result, fonts);
  await Promise.all([`500 40px ${serif()}`, `400 22px ${plain()}`].map((font) => document.fonts?.load(font)));
  const cards = (outline?.cards ?? []).map((card, place) => ({ ...card, place, face: pictures.faces[place] }));
  const inOrder = cards.toSorted((one, other) => Number(one.won) - Number(other.won));
  const loud = outline?.loud ?? false;
  return {
    length,
    draw: (ms) => {
      const settled = eased((ms - settle) / (pace.settle * 0.6));
      room(canvas, between(0.45, 1, settled));
      if (pictures.seal && ms > settle) seal(canvas, pictures.seal, (ms - settle) / pace.settle);
      for (const each of inOrder) {
        const lifted = eased((ms - lift) / pace.lift);
        const turned = clamp((ms - turn) / pace.turn);
        cardAt(canvas, each, { lifted, turned, settled, loud, back: pictures.back });
        if (each.won && ms > settle) ring(canvas, each.place, (ms - settle - pace.settle * 0.35) / 400);
      }
      caption(canvas, result, eased((ms - settle - pace.settle * 0.3) / 260));
    },
  };
}

/** The dark room and its lamp. @param {CanvasRenderingContext2D} canvas @param {number} light */
function room(canvas, light) {
  canvas.globalAlpha = 1;
  canvas.fillStyle = INK;
  canvas.fillRect(0, 0, SIDE, SIDE);
  const glow = canvas.createRadialGradient(SIDE / 2, MIDDLE, 20, SIDE / 2, MIDDLE, 420);
  glow.addColorStop(0, LAMP);
  glow.addColorStop(1, INK);
  canvas.globalAlpha = light;
  canvas.fillStyle = glow;
  canvas.fillRect(0, 0, SIDE, SIDE);
  canvas.globalAlpha = 1;
}

/** The seal that bursts as the cards settle. @param {CanvasRenderingContext2D} canvas @param {ImageBitmap} image
 * @param {number} part */
function seal(canvas, image, part) {
  const size = between(1.25, 1, eased(part * 3));
  canvas.globalAlpha = clamp(part * 6);
  const [wide, high] = [SEAL.wide * size, SEAL.high * size];
  canvas.drawImage(image, (SIDE - wide) / 2, MIDDLE - high / 2, wide, high);
  canvas.globalAlpha = 1;
}

/** Where the middle of a card is, the first on the left. @param {number} place */
const middleOf = (place) => ({ x: SIDE / 2 + (place === 0 ? -1 : 1) * CARD.wide * 0.58, y: MIDDLE });

/** @param {CanvasRenderingContext2D} canvas
 * @param {{place: number, won: boolean|null, face: ImageBitmap}} card
 * @param {{lifted: number, turned: number, settled: number, loud: boolean, back: ImageBitmap}} at */
function cardAt(canvas, { place, won, face }, { lifted, turned, settled, loud, back }) {
  const out = place === 0 ? -1 : 1;
  const { x, y } = middleOf(place);
  const [fall, tilt, size] =
    won === null
      ? [0, 0, 1]
      : won
        ? [-0.04, 2.4 * out, 1.06]
        : [loud ? 0.12 : 0.07, (loud ? 24 : 9.6) * out, loud ? 0.9 : 1];
  const inTheAir = lifted * (1 - turned);
  const angle = 4 * out * inTheAir + tilt * settled;
  // seen from above, a card that turns about its upright axis gets narrow, then wide again, and comes nearer
  const turning = turned < 0.6 ? between(180, 70, turned / 0.6) : between(70, 0, (turned - 0.6) / 0.4);
  const wide = Math.abs(Math.cos((turning * Math.PI) / 180));
  const near = between(1, size, settled) + 0.06 * Math.sin(Math.PI * turned);
  canvas.save();
  canvas.translate(x + (loud && won === false ? out * 0.08 * CARD.wide * settled : 0), y);
  canvas.translate(0, CARD.high * (-0.03 * inTheAir + fall * settled));
  canvas.rotate((angle * Math.PI) / 180);
  canvas.scale(near * Math.max(0.02, wide), near);
  canvas.shadowColor = "rgb(0 0 0 / 0.5)";
  canvas.shadowBlur = 18 + 22 * inTheAir;
  canvas.shadowOffsetY = 8 + 14 * inTheAir;
  canvas.drawImage(turning > 90 ? back : face, -CARD.wide / 2, -CARD.high / 2, CARD.wide, CARD.high);
  canvas.shadowColor = "transparent";
  if (won === false) veil(canvas, 0.5 * settled);
  canvas.restore();
}

/** @param {CanvasRenderingContext2D} canvas */
function traceCard(canvas) {
  canvas.beginPath();
  canvas.roundRect(-CARD.wide / 2, -CARD.high / 2, CARD.wide, CARD.high, CARD.wide * 0.062);
}

/** @param {CanvasRenderingContext2D} canvas @param {number} dark */
function veil(canvas, dark) {
  canvas.globalAlpha = dark;
  canvas.fillStyle = "#5a5650";
  traceCard(canvas);
  canvas.fill();
  canvas.globalAlpha = 1;
}

/** A ring of light that leaves the winner's card. @param {CanvasRenderingContext2D} canvas @param {number} place
 * @param {number} part */
function ring(canvas, place, part) {
  if (part <= 0 || part >= 1) return;
  const { x, y } = middleOf(place);
  canvas.save();
  canvas.translate(x, y - CARD.high * 0.04);
  canvas.scale(1.08 + 0.3 * part, 1.08 + 0.3 * part);
  canvas.globalAlpha = 0.9 * (1 - part);
  canvas.strokeStyle = GOLD;
  canvas.lineWidth = 4;
  traceCard(canvas);
  canvas.stroke();
  canvas.restore();
}

/** @param {CanvasRenderingContext2D} canvas @param {Result} result @param {number} shown */
function caption(canvas, { headline, story, title, outline, names }, shown) {
  canvas.textAlign = "center";
  line(canvas, title, { y: 46, size: 22, colour: SOFT, font: plain(), weight: 400 });
  for (const { seat, place } of (outline?.cards ?? []).map((each, place) => ({ ...each, place }))) {
    const text = { y: 540, size: 22, colour: SOFT, font: plain(), weight: 400, x: middleOf(place).x, wide: 250 };
    line(canvas, names(seat), text);
  }
  canvas.globalAlpha = shown;
  const rise = 8 * (1 - shown);
  line(canvas, headline, { y: 602 + rise, size: 46, colour: BONE, font: serif(), weight: 500 });
  line(canvas, story, { y: 642 + rise, size: 24, colour: SOFT, font: serif(), weight: 500 });
  canvas.globalAlpha = 1;
  line(canvas, "Facedown", { y: 694, size: 22, colour: BONE, font: serif(), weight: 500 });
}

/** A line of text, smaller if it would not fit. @param {CanvasRenderingContext2D} canvas @param {string} text
 * @param {{y: number, size: number, colour: string, font: string, weight: number, x?: number, wide?: number}} at */
function line(canvas, text, { y, size, colour, font, weight, x = SIDE / 2, wide = SIDE - 64 }) {
  canvas.font = `${weight} ${size}px ${font}`;
  const measured = canvas.measureText(text).width;
  if (measured > wide) canvas.font = `${weight} ${Math.floor((size * wide) / measured)}px ${font}`;
  canvas.fillStyle = colour;
  canvas.fillText(text, x, y);
}

// --- showing and recording ---

/** Plays the film once on its canvas. @param {Film} film @param {AbortSignal} signal
 * @param {(part: number) => void} [progress] @returns {Promise<void>} */
export function play({ length, draw }, signal, progress) {
  return new Promise((done) => {
    const began = performance.now();
    const frame = (/** @type {number} */ now) => {
      const ms = Math.max(0, now - began);
      if (signal.aborted) return done();
      draw(Math.min(ms, length));
      progress?.(clamp(ms / length));
      if (ms >= length) return done();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Plays the film and records it; null if it was called off. @param {Film} film @param {HTMLCanvasElement} canvas
 * @param {AbortSignal} signal @param {(part: number) => void} progress @returns {Promise<File|null>} */
export async function record(film, canvas, signal, progress) {
  film.draw(0);
  const stream = canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: typeHere(), videoBitsPerSecond: RATE });
  /** @type {Blob[]} */
  const parts = [];
  const stopped = new Promise((/** @type {(value: unknown) => void} */ done, fail) => {
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = done;
    recorder.onerror = fail;
  });
  recorder.start();
  await play(film, signal, progress);
  recorder.stop();
  await stopped;
  for (const track of stream.getTracks()) track.stop();
  if (signal.aborted) return null;
  const type = recorder.mimeType.split(";")[0] || "video/webm";
  return new File(parts, `facedown.${type.split("/")[1]}`, { type });
}
