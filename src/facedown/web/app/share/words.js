// Texts and style sheet of sharing a game, fetched when a reader asks for it.

import english from "/words/share/en.js";
import { laterTexts } from "../parts/later_texts.js";

export const { say, useTexts } = laterTexts("share/", english, "/app/styles/share.css");
