// Sharing a link: copying, confirmed only if it worked, the system's share sheet, and saving a file.

import { html, useEffect, useElement, useState } from "../html.js";
import { isLocal, lookAtDoor, reach, setDoor, sharedAddress } from "../state/reach.js";
import { t } from "../words.js";
import { Button, ErrorNotice } from "./elements.js";
import { useWork } from "./hooks.js";

/** Copies by the clipboard, else (plain HTTP has none) through a selected text field. Returns whether it worked.
 * @param {string} text @param {Element|null} [near] an element of the open dialog: what is outside cannot be selected
 * @returns {Promise<boolean>} */
export async function copyText(text, near) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // refused: the text field may still work
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  const before = document.activeElement;
  (near?.parentElement ?? document.body).append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    // not possible either
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

/** A secret to be copied by a button; where copying fails, it is selected in the element that has `shown` as `ref`.
 * @param {string} secret */
export function useCopy(secret) {
  const [copied, setCopied] = useState(/** @type {"copied"|"select"|""} */ (""));
  const shown = useElement();
  const copy = async () => {
    const worked = await copyText(secret, shown.current);
    if (!worked && shown.current) getSelection()?.selectAllChildren(shown.current);
    setCopied(worked ? "copied" : "select");
  };
  return { shown, copied, copy };
}

/** Offers a file for download. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {string} name @param {unknown} value */
export const saveJson = (name, value) =>
  saveFile(name, new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));

/** A link with a button that copies it and, if the system has a share sheet, one before it that shares it.
 * @param {{address: string, text?: string, title?: string, before?: () => Promise<unknown>, first?: boolean}} props
 *   `text`: shared beside the link; `before`: what has to be done before the link works for others */
export function ShareLink({ address: here, text = "", title = "Facedown", before, first = true }) {
  const address = sharedAddress(here);
  const { shown, copied, copy } = useCopy(address);
  const [failed, setFailed] = useState(false);
  /** @param {() => Promise<unknown>} work */
  const after = (work) => async () => {
    try {
      await before?.();
      await work();
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  const share = after(() => navigator.share({ title, text, url: address }).catch(() => {}));
  const sheet = typeof navigator.share === "function";
  return html`<div class="share-link">
    <p class="address"><code ref=${shown}>${address}</code></p>
    <p class="row">
      ${
        sheet &&
        html`<button class=${`button ${first ? "first" : "second"}`} onClick=${share}>${t("share.share")}</button>`
      }
      <button class=${`button ${first && !sheet ? "first" : "second"}`} onClick=${after(copy)}>
        ${t(copied === "copied" ? "lobby.copied" : "lobby.share")}
      </button>
    </p>
    <${Door} address=${here} />
    <p class="small" role="status">${failed ? t("share.failed") : copied === "select" && t("share.select")}</p>
  </div>`;
}

const FOR_ALL = "./facedown serve --host 0.0.0.0";

/** Warns that only this computer can open the link and offers the door to the home network; while the door is open,
 * shows who can use it and a button to close it. @param {{address: string}} props */
function Door({ address }) {
  const turn = useWork(setDoor);
  useEffect(() => void lookAtDoor(), []);
  const { door = "" } = reach.value ?? {};
  if (door === "open")
    return html`<div class="panel local-only" role="status">
      <p>${t("reach.open")}</p>
      <p class="small">
        <${Button} work=${turn} class="link" of="closed">${t("reach.shut")}<//>
      </p>
      <${ErrorNotice} error=${turn.error} />
    </div>`;
  if (!isLocal(address)) return null;
  return html`<div class="panel local-only" role="status">
    <p>${t("reach.local")}</p>
    ${door === "none" && html`<p class="small">${t("reach.how")} <code>${FOR_ALL}</code></p>`}
    ${
      door === "closed" &&
      html`
        <p class="small">${t("reach.meaning")}</p>
        <${Button} work=${turn} of="open">${t(turn.busy ? "reach.opening" : "reach.offer")}<//>
      `
    }
    <${ErrorNotice} error=${turn.error} />
  </div>`;
}
