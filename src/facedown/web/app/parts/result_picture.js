// Picture of a result: one SVG with the game, who won, the names and the score; as markup, and as a PNG to send.

/** @typedef {{game: string, headline: string, players: {name: string, score: number|null, won: boolean}[],
 *   about: string}} Result */

const WIDE = 1200;
const HIGH = 630;
const INK = "#12100e";
const BONE = "#efe6d2";
const SOFT = "#b6aa92";

/** @param {unknown} text */
const escapeXml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {string} text @param {number} longest */
const short = (text, longest) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** A picture of 1200 × 630, the size that previews have. @param {Result} result */
export function resultSvg({ game, headline, players, about }) {
  const serif = `font-family="'Shippori Mincho', 'Hiragino Mincho ProN', Georgia, serif"`;
  const plain = `font-family="Inter, system-ui, sans-serif"`;
  const step = Math.min(72, 300 / Math.max(players.length, 1));
  const size = Math.min(44, step * 0.66);
  const rows = players.map(({ name, score, won }, place) => {
    const y = 300 + place * step;
    const colour = won ? BONE : SOFT;
    const seal = won ? `<circle cx="96" cy="${y - size * 0.32}" r="${size * 0.3}" fill="#c8321f"/>` : "";
    const points = score === null ? "" : `<text x="1104" y="${y}" text-anchor="end">${escapeXml(score)}</text>`;
    return `<g fill="${colour}" font-size="${size}" ${serif}>${seal}<text x="132" y="${y}">${escapeXml(
      short(name, 28),
    )}</text>${points}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${HIGH}" viewBox="0 0 ${WIDE} ${HIGH}">`,
    `<rect width="${WIDE}" height="${HIGH}" fill="${INK}"/>`,
    `<defs><radialGradient id="lamp"><stop stop-color="#4a3822"/><stop offset="1" stop-color="${INK}"/>`,
    `</radialGradient></defs><ellipse cx="600" cy="300" rx="760" ry="400" fill="url(#lamp)"/>`,
    `<text x="80" y="112" fill="${SOFT}" font-size="30" ${plain}>${escapeXml(short(game, 60))}</text>`,
    `<text x="80" y="196" fill="${BONE}" font-size="64" ${serif}>${escapeXml(short(headline, 34))}</text>`,
    ...rows,
    `<text x="80" y="586" fill="${SOFT}" font-size="24" ${plain}>${escapeXml(short(about, 80))}</text>`,
    `<text x="1120" y="586" fill="${BONE}" font-size="28" text-anchor="end" ${serif}>Facedown</text>`,
    "</svg>",
  ].join("");
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
