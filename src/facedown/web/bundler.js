// Bundler: joins the client's modules and style sheets into few small files. Run with Bun by `bundle.py`, which names
// the roots (address and folder), the libraries, the modules shared with games, and the games; not sent to browsers.
//
// `kit.js` holds what games of any package may import: there is only one copy of it. Screens that are loaded
// later come in groups. Texts of a language are files of their own. Addresses stay as they are in the sources, so that
// the page's import map serves both.

import { dirname, join, relative } from "node:path/posix";
import { brotliCompressSync, constants } from "node:zlib";

/** @type {{out: string, roots: [string, string][], libraries: Record<string, string>, kit: string[],
 *   groups: Record<string, string[]>, entries: string[]}} */
const plan = JSON.parse(process.argv[2]);

/** The file behind an address. @param {string} address */
function fileAt(address) {
  const [start, folder] = plan.roots.find(([each]) => address.startsWith(`${each}/`)) ?? ["", ""];
  return join(folder, address.slice(start.length));
}

/** @param {string} file whose name may have backslashes, on Windows */
function addressOf(file) {
  const path = file.replaceAll("\\", "/");
  const [start, folder] = plan.roots.find(([, each]) => path.startsWith(`${each}/`)) ?? ["", ""];
  return start + path.slice(folder.length);
}

/** The address that an import leads to. @param {string} target @param {string} importer */
function resolveImport(target, importer) {
  if (target in plan.libraries) return plan.libraries[target];
  if (target.startsWith("/")) return target;
  return join(dirname(addressOf(importer)), target);
}

/** The group that a module is loaded with, when it is loaded later. @param {string} address */
const groupOf = (address) => Object.keys(plan.groups).find((each) => plan.groups[each].includes(address)) ?? "";

/** The file that holds the modules of a group, or of the kit. @param {string} name */
const fileOf = (name) => join(plan.out, `${name}.group.js`);

/** @param {string} name @param {string[]} members */
const gather = (name, members) => Bun.write(fileOf(name), members.map((each) => `export * from "${each}";`).join("\n"));

/** @param {string} at where the result will be, as an address @param {string[]} elsewhere what other files hold */
const addresses = (at, elsewhere) => ({
  name: "addresses",
  /** @param {any} build */
  setup(build) {
    build.onResolve({ filter: /./ }, (/** @type {any} */ { path, importer, kind }) => {
      if (kind.startsWith("entry-point")) return undefined;
      const address = resolveImport(path, importer);
      if (address.endsWith(".woff2")) return { path: relative(dirname(at), address), external: true };
      if (elsewhere.includes(address)) return { path: "/app/kit.js", external: true };
      if (kind === "dynamic-import" && groupOf(address)) return { path: fileOf(groupOf(address)) };
      return { path: fileAt(address) };
    });
  },
});

/** Builds one entry; its parts lie beside it. @param {string} at @param {string} file @param {string[]} elsewhere */
async function build(at, file, elsewhere) {
  const { outputs } = await Bun.build({
    entrypoints: [file],
    minify: true,
    splitting: true,
    // For browsers it would rewrite logical properties into selectors of more weight, and other rules would win.
    target: at.endsWith(".css") ? "bun" : "browser",
    naming: { entry: at.slice(1), chunk: `${dirname(at).slice(1)}/[name]-[hash].[ext]` },
    plugins: [addresses(at, elsewhere)],
  });
  for (const [path, text] of await renameByContent(outputs)) await write(path, new TextEncoder().encode(text));
}

/** Files whose names depend on what is in them alone: Bun's hashes also depend on the folder that the sources are in.
 * @param {any[]} outputs @returns {Promise<[string, string][]>} */
async function renameByContent(outputs) {
  const files = await Promise.all(
    outputs.map(async (each) => ({ path: each.path, hash: each.hash, text: await each.text() })),
  );
  const hashes = files.map(({ hash }) => hash).filter(Boolean);
  /** @param {string} text @param {(at: number) => string} name */
  const renamed = (text, name) => hashes.reduce((made, hash, at) => made.replaceAll(hash, name(at)), text);
  const whole = files.map(({ path, text }) => `${path}\n${text}`).join("\n");
  const digest = new Bun.CryptoHasher("sha256").update(renamed(whole, (at) => `#${at}`)).digest("hex");
  /** @param {number} at */
  const own = (at) => new Bun.CryptoHasher("sha256").update(`${at} ${digest}`).digest("hex").slice(0, 8);
  return files.map(({ path, text }) => [renamed(path, own), renamed(text, own)]);
}

/** @param {string} address @param {Uint8Array} bytes */
async function write(address, bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Bun.write(join(plan.out, address), bytes);
  await Bun.write(join(plan.out, `${address}.br`), brotliCompressSync(bytes, { params }));
}

await gather("kit", plan.kit);
for (const [name, members] of Object.entries(plan.groups)) await gather(name, members);
await build("/app/kit.js", fileOf("kit"), []);
for (const each of plan.entries) await build(each, fileAt(each), plan.kit);
for (const each of plan.kit) await write(each, new TextEncoder().encode('export * from "/app/kit.js";\n'));
for (const each of ["kit", ...Object.keys(plan.groups)]) await Bun.file(fileOf(each)).delete();
