import "./resolve.mjs";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { markup } from "./markup.mjs";

const WEB = new URL("../../../../src/facedown/web/", import.meta.url);
const { default: en } = await import("/words/en.js");
const { default: ja } = await import("/words/ja.js");

const files = readdirSync(new URL("app/", WEB), { recursive: true }).filter((name) => name.endsWith(".js"));
const source = Object.fromEntries(files.map((name) => [name, readFileSync(new URL(`app/${name}`, WEB), "utf8")]));
const whole = Object.values(source).join("\n");

const slots = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();

test("both languages have the same keys, and the same slots in each", () => {
  assert.deepEqual(Object.keys(ja).sort(), Object.keys(en).sort());
  const differing = Object.keys(en).filter((key) => slots(ja[key]).join() !== slots(en[key]).join());
  assert.deepEqual(differing, []);
});

test("every key that the code asks for is there", () => {
  const asked = [...whole.matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key);
  const chosen = [...whole.matchAll(/\bt\([^()"`]*\? "([^"]+)" : "([^"]+)"/g)].flatMap(([, yes, no]) => [yes, no]);
  assert.ok(asked.length > 100);
  assert.deepEqual(
    [...asked, ...chosen].filter((key) => !(key in en)),
    [],
  );
});

test("every key is asked for, or belongs to a family that is", () => {
  const families = [...whole.matchAll(/\bt\(`([^`$]+)\$/g)].map(([, start]) => start);
  const unused = Object.keys(en).filter(
    (key) => !whole.includes(`"${key}"`) && !families.some((start) => key.startsWith(start)),
  );
  assert.deepEqual(unused, []);
});

test("markup is found inside markup", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source code as text
  const text = "x = html`<p>${a ? html`<b>in</b>` : { c: `d${1}` }} out</p>`.split(/`'/); // html`<i>no</i>`\n'`'";

  assert.deepEqual(markup(text), ["<b>in</b>", "<p> out</p>"]);
});

test("no visible word is outside the words", () => {
  // What is not to be translated: the name of the house, names of languages, keys.
  const allowed = /^(Facedown|English|日本語|[LT?])$/;
  const pieces = Object.entries(source).flatMap(([name, text]) => markup(text).map((each) => [name, each]));
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
