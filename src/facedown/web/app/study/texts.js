// Texts and style sheet of the explorer and the trainer: fetched when one of them is opened.

import { useEffect, useState } from "../html.js";
import { loadStyles } from "../state/games.js";
import { addGameWords, wordsOf } from "../words.js";
import en from "./words/en.js";

const STUDY = "study:"; // no game has this name

/** A text of the explorer or the trainer. */
export const say = wordsOf(STUDY);

/** @type {Promise<unknown>|null} */
let fetched = null;

function fetchAll() {
  fetched ??= Promise.all([
    addGameWords(STUDY, { en, ja: () => import("./words/ja.js") }),
    loadStyles("/app/styles/study.css"),
  ]);
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
