// Texts and style sheet of the explorer and the trainer, fetched when one of them is opened.

import english from "/words/study/en.js";
import { useEffect, useState } from "../html.js";
import { loadStyles } from "../state/games.js";
import { addWords, wordsIn } from "../words.js";

const PART = "study/";

/** A text of the explorer or the trainer. */
export const say = wordsIn(PART);

/** @type {Promise<unknown>|null} */
let fetched = null;

function fetchAll() {
  fetched ??= Promise.all([addWords(PART, english), loadStyles("/app/styles/study.css")]);
  return fetched;
}

/** Whether texts and styles are there. */
export function useStudyTexts() {
  const [ready, set] = useState(false);
  useEffect(() => {
    fetchAll().then(() => set(true));
  }, []);
  return ready;
}
