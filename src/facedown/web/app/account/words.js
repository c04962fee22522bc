// Texts and style sheet of the account's pages, fetched when one of them is opened.

import english from "/words/account/en.js";
import { laterTexts } from "../parts/later_texts.js";

export const { say, useTexts } = laterTexts("account/", english, "/app/styles/account.css");
