// Texts and a style sheet that come with the screens that need them, not with the first page.

import { useEffect, useState } from "../html.js";
import { loadStyles } from "../state/games.js";
import { addWords, wordsIn } from "../words.js";

/** @import { Texts } from "../contract.js" */

/** The words of a part, and a hook that says whether texts and styles are there.
 * @param {string} part @param {Texts} english @param {string} styles the address of the style sheet */
export function laterTexts(part, english, styles) {
  /** @type {Promise<unknown>|null} */
  let fetched = null;
  const fetchAll = () => {
    fetched ??= Promise.all([addWords(part, english), loadStyles(styles)]);
    return fetched;
  };
  const useTexts = () => {
    const [ready, set] = useState(false);
    useEffect(() => {
      fetchAll().then(() => set(true));
    }, []);
    return ready;
  };
  return { say: wordsIn(part), useTexts };
}
