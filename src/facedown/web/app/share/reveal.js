// The deciding reveal to share: shown once as it is recorded, then saved or given to the phone's share sheet.

import { html, useEffect, useRef, useState } from "../html.js";
import { Button, ErrorNotice } from "../parts/elements.js";
import { useWork } from "../parts/hooks.js";
import { saveFile } from "../parts/sharing.js";
import { motion } from "../settings.js";
import { filmOf, play, record, SIDE } from "./loop.js";
import { say, useTexts } from "./words.js";

/** @import { Result } from "../parts/result_picture.js" */
/** @import { Film } from "./loop.js" */

export { canRecord, hasReveal } from "./loop.js";

/** @param {{result: Result, fonts: string}} props */
export function RevealFilm({ result, fonts }) {
  const ready = useTexts();
  const canvas = useRef(/** @type {HTMLCanvasElement|null} */ (null));
  const film = useRef(/** @type {Film|null} */ (null));
  const leaving = useRef(new AbortController());
  const [made, setMade] = useState(/** @type {File|null} */ (null));
  const [part, setPart] = useState(0);
  const making = useWork(async () => {
    const context = canvas.current?.getContext("2d");
    if (!canvas.current || !context) throw { code: "unsupported_picture" };
    leaving.current.abort();
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    film.current ??= await filmOf(result, context, fonts);
    if (made) return play(film.current, signal);
    const file = await record(film.current, canvas.current, signal, (now) => setPart(Math.round(now * 20) / 20));
    if (file) setMade(file);
  });
  const still = motion.value === "less"; // nothing moves before the reader asks for it
  useEffect(() => {
    if (ready && !still) making.run();
    return () => leaving.current.abort();
  }, [ready]);
  const share = useWork(async () => {
    if (made) await navigator.share({ files: [made] }).catch(() => {});
  });
  const sheet = made && typeof navigator.canShare === "function" && navigator.canShare({ files: [made] });
  const label = `${result.headline}. ${result.story}`;
  return html`
    <canvas class="reveal-film" ref=${canvas} width=${SIDE} height=${SIDE} role="img" aria-label=${label}></canvas>
    ${
      ready &&
      html`
        <${ErrorNotice} error=${making.error ?? share.error} />
        <p class="row">
          ${sheet && html`<${Button} work=${share} class="button first">${say("film.share")}<//>`}
          <button
            class=${`button ${sheet ? "second" : "first"}`}
            disabled=${!made}
            onClick=${() => made && saveFile(made.name, made)}
          >
            ${say("film.save")}
          </button>
          <${Button} work=${making}>${say(made || !still ? "film.again" : "film.make")}<//>
        </p>
        <p class="small soft share-said" role="status">
          ${making.busy && !made && say("film.making", { percent: Math.round(part * 100) })}
          ${made && say("film.made", { size: Math.max(1, Math.round(made.size / 1000)) })}
        </p>
      `
    }
  `;
}
