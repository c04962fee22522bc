// Lets Node find modules where the page's import map finds them: `/app/…`, the vendored libraries, and `/words/…` in
// the folder that WORDS names.

import { registerHooks } from "node:module";

const WEB = new URL("../../../../src/facedown/web/", import.meta.url);
const LIBRARIES = {
  preact: "vendor/preact.js",
  "preact/hooks": "vendor/preact-hooks.js",
  htm: "vendor/htm.js",
  "@preact/signals": "vendor/signals.js",
  "@preact/signals-core": "vendor/signals-core.js",
  "@noble/hashes/hmac.js": "vendor/noble-hashes.js",
  "@noble/hashes/sha2.js": "vendor/noble-hashes.js",
};

registerHooks({
  resolve(specifier, context, next) {
    if (specifier in LIBRARIES)
      return { url: new URL(LIBRARIES[specifier], WEB).href, format: "module", shortCircuit: true };
    const home = { app: WEB, words: `${process.env.WORDS}/` }[specifier.match(/^\/(app|words)\//)?.[1]];
    if (home) return { url: new URL(`.${specifier}`, home).href, format: "module", shortCircuit: true };
    return next(specifier, context);
  },
  load(url, context, next) {
    return next(url, url.startsWith(WEB.href) || url.includes("/games/") ? { ...context, format: "module" } : context);
  },
});
