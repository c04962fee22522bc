// Texts and style sheet of the explorer and the trainer, fetched when one of them is opened.

import english from "/words/study/en.js";
import { laterTexts } from "../parts/later_texts.js";

export const { say, useTexts } = laterTexts("study/", english, "/app/styles/study.css");
