// Texts and style sheet of tournaments, fetched when one of their pages is opened.

import english from "/words/tournaments/en.js";
import { laterTexts } from "../parts/later_texts.js";

export const { say, useTexts } = laterTexts("tournaments/", english, "/app/styles/tournaments.css");
