// Texts and style sheet of notices and of the people one knows, fetched when they are first shown.

import english from "/words/contacts/en.js";
import { laterTexts } from "../parts/later_texts.js";

export const { say, useTexts } = laterTexts("contacts/", english, "/app/styles/notices.css");
