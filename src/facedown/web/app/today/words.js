// Texts and style sheet of the mind of the day, fetched when its page is opened.

import english from "/words/today/en.js";
import { laterTexts } from "../parts/later_texts.js";
import { lang } from "../words.js";

export const { say, useTexts } = laterTexts("today/", english, "/app/styles/today.css");

/** A day such as 2026-11-18 as the language writes it, without the year. @param {string} day */
export const dayText = (day) =>
  new Intl.DateTimeFormat(lang.value, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(day));

/** The day that comes this many days later. @param {string} day @param {number} days */
export const later = (day, days) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
