import "./resolve.mjs";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { markup } from "./markup.mjs";

const WEB = new URL("../../../../src/facedown/web/", import.meta.url);
const files = readdirSync(new URL("app/", WEB), { recursive: true }).filter((name) => name.endsWith(".js"));
const source = Object.fromEntries(files.map((name) => [name, readFileSync(new URL(`app/${name}`, WEB), "utf8")]));

test("markup is found inside markup", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source code as text
  const text = "x = html`<p>${a ? html`<b>in</b>` : { c: `d${1}` }} out</p>`.split(/`'/); // html`<i>no</i>`\n'`'";

  assert.deepEqual(markup(text), ["<b>in</b>", "<p> out</p>"]);
});

test("no visible word is outside the words", () => {
  // What is not to be translated: the name of the house, names of languages, keys.
  const allowed = /^(Facedown|English|日本語|[LT?])$/;
  const translated = Object.entries(source).filter(([name]) => !name.startsWith("operate/")); // for operators: English
  const pieces = translated.flatMap(([name, text]) => markup(text).map((each) => [name, each]));
  const found = pieces.flatMap(([name, each]) => {
    const shown = each
      .replace(/<[^>]*>/g, "\n")
      .split("\n")
      .map((line) => line.trim());
    const labels = [...each.matchAll(/(?:aria-label|placeholder|title|alt)="([^"]+)"/g)].map(([, label]) => label);
    return [...shown, ...labels]
      .filter((text) => /\p{L}/u.test(text) && !allowed.test(text))
      .map((text) => `${name}: ${text}`);
  });
  assert.ok(pieces.length > 80);
  assert.deepEqual(found, []);
});

test("numbers in sentences are written as the language writes them", () => {
  const found = Object.entries(source).filter(([, text]) => /\b(?:say|t|words)\([^;]*?\{[^;}]*toFixed/.test(text));
  assert.deepEqual(
    found.map(([name]) => name),
    [],
  );
});
