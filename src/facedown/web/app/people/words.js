// Texts and style sheet of people's pages and lists, fetched when one of them is opened.

import english from "/words/people/en.js";
import { laterTexts } from "../parts/later_texts.js";

export const { say, useTexts } = laterTexts("people/", english, "/app/styles/profile.css");
