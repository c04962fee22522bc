// The worker of a page without a server: starts Python, opens our own server in it, and passes requests and socket
// messages to it. Keeps a copy of its tables in this browser. Knows no rules, and nothing of what messages mean.

const FILE = "facedown.sqlite";
const UNREADABLE = "unreadable.sqlite";
const KEPT = "facedown-here";
const LOCK_MS = 10_000;
const LOCK = "facedown-here";
const UNHURRIED_MS = 3000;
const RUN = "facedown-run";
const COMPILED = "facedown-compiled"; // the archives with bytecode: from this cache first
const CODE = "/code.zip";
const LIBRARY = "/lib/python314.zip";

/** @param {Record<string, any>} message */
const tell = (message) => postMessage(message);

// --- the copy in this browser ---------------------------------------------------------------------------

/** @returns {Promise<IDBDatabase>} */
const openKept = () =>
  new Promise((done, failed) => {
    const opening = indexedDB.open(KEPT, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("files");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
  });

/** @param {IDBDatabase} database @param {string} name @returns {Promise<Uint8Array|undefined>} */
const readKept = (database, name) =>
  new Promise((done, failed) => {
    const asked = database.transaction("files").objectStore("files").get(name);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });

/** @param {IDBDatabase} database @param {string} name @param {Uint8Array} bytes @returns {Promise<void>} */
const writeKept = (database, name, bytes) =>
  new Promise((done, failed) => {
    const writing = database.transaction("files", "readwrite", { durability: "strict" });
    writing.objectStore("files").put(bytes, name);
    writing.oncomplete = () => done();
    writing.onerror = writing.onabort = () => failed(writing.error);
  });

// --- starting -------------------------------------------------------------------------------------------

/** Only one page of this browser may run the tables: two would overwrite each other's copy. A start that was given up
 * a moment ago holds on for a while: browsers take seconds to end a worker that is busy.
 * @returns {Promise<boolean>} whether it is this one */
const alone = () =>
  new Promise((done) => {
    if (!navigator.locks) return done(true);
    const held = () => {
      done(true);
      return new Promise(() => {}); // until the worker ends
    };
    navigator.locks.request(LOCK, { signal: AbortSignal.timeout(LOCK_MS) }, held).catch(() => done(false));
  });

/** Asks for the tables: until then Python only gets ready, so that another page may run them. @type {() => void} */
let want = () => {};
/** @type {Promise<void>} */
const wanted = new Promise((done) => {
  want = done;
});

/** @param {{pyodide: string, code: string, pause: number}} where the addresses of the folder and of our own code */
async function start({ pyodide, code, pause }) {
  tell({ part: 0.05 });
  const [wheel, archive] = [bytesOf(`${pyodide}msgspec.whl`), bytesOf(code)];
  wheel.catch(() => {}); // reported below
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  const python = await loadPyodide({
    indexURL: pyodide,
    lockFileContents: NO_PACKAGES,
    fsInit: async (/** @type {any} */ files) => files.writeFile(CODE, await archive),
    env: { PYTHONPATH: CODE },
  });
  tell({ part: 0.5 });
  python.unpackArchive(await wheel, "wheel");
  tell({ part: 0.6 });
  const { PageServer } = python.pyimport("facedown.server.in_page");
  tell({ part: 0.95 });
  await wanted;
  if (!(await alone())) return tell({ failed: "elsewhere" });
  const opened = await openData(python, (/** @type {string} */ folder, /** @type {() => Promise<void>} */ keep) =>
    PageServer.open(folder, keep, pause),
  );
  onFirstTable = () => keepBytecode(python, { [LIBRARY]: `${pyodide}python_stdlib.zip`, [CODE]: code }).catch(() => {});
  return opened;
}

/** Called once the first table is open and everything that a game needs is imported. */
let onFirstTable = () => {};

/** Stores Python's compiled bytecode in copies of its archives, which the service worker gives to the next start.
 * Without them, or without room, the next start compiles again. @param {any} python
 * @param {Record<string, string>} archives where they were fetched from, by their paths */
async function keepBytecode(python, archives) {
  const cache = await caches.open(COMPILED);
  const { with_bytecode: withBytecode } = python.pyimport("sitecustomize");
  for (const [path, address] of Object.entries(archives)) {
    await new Promise((next) => setTimeout(next, UNHURRIED_MS)); // a game is being played
    const copy = withBytecode(path)?.toJs();
    if (copy) await cache.put(address, new Response(copy));
  }
  const ours = new Set(Object.values(archives));
  for (const { url } of await cache.keys()) if (!ours.has(url)) await cache.delete(url); // of an older edition
}

const NO_PACKAGES = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "" },
  packages: {},
};

/** What this browser stores is not fetched, by Python neither: at a first visit no service worker answers yet. */
const network = self.fetch.bind(self);
self.fetch = async (request, options) => {
  const address = request instanceof Request ? request.url : String(request);
  for (const cacheName of [COMPILED, RUN]) {
    const kept = await globalThis.caches?.match(address, { cacheName });
    if (kept) return kept;
  }
  return network(request, options);
};

/** @param {string} address */
async function bytesOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Opens the server on the copy that this browser keeps. A copy that cannot be read is set aside, and the server starts
 * empty. A browser that stores nothing reports it once: games then last as long as their page.
 * @param {any} python @param {(folder: string, keep: () => Promise<void>) => Promise<any>} open */
async function openData(python, open) {
  /** @type {IDBDatabase|null} */
  let database = await openKept().catch(() => null);
  const bytes = database && (await readKept(database, FILE).catch(() => undefined));
  const loses = () => {
    database = null;
    tell({ unkept: true });
  };
  const inFolder = (/** @type {string} */ folder) => async () => {
    if (database) await writeKept(database, FILE, python.FS.readFile(`${folder}/${FILE}`)).catch(loses);
  };
  if (!database) loses();
  if (bytes) {
    python.FS.mkdirTree("/kept");
    python.FS.writeFile(`/kept/${FILE}`, bytes);
    try {
      return await open("/kept", inFolder("/kept"));
    } catch (error) {
      console.error(error); // shows the reason to developers
      if (database) await writeKept(database, UNREADABLE, bytes).catch(loses);
    }
  }
  return open("/new", inFolder("/new"));
}

// --- requests and sockets -------------------------------------------------------------------------------

/** @type {Promise<any>|null} */
let server = null;
/** @type {Map<number, any>} */
const sockets = new Map();

/** @param {any} message */
async function take({ start: where, wanted: isWanted, ask, request, record, socket, open, text, close }) {
  if (isWanted) return want();
  if (where) {
    server = start(where);
    server.then((found) => found && tell({ ready: true }), fail);
    return;
  }
  const running = await server;
  if (record) tell({ answer: ask, text: running.verify(record) });
  else if (ask !== undefined) tell({ answer: ask, text: await running.request(request) });
  else if (open) {
    sockets.set(socket, connection(running, socket));
    onFirstTable();
    onFirstTable = () => {};
  } else if (close) lose(socket);
  else sockets.get(socket)?.receive(text);
}

/** @param {any} running @param {number} socket */
const connection = (running, socket) => {
  const say = (/** @type {string} */ text) => tell({ socket, text });
  return running.connect(say, () => hangUp(socket));
};

/** @param {number} socket */
function lose(socket) {
  sockets.get(socket)?.disconnect();
  sockets.delete(socket);
}

/** @param {number} socket */
function hangUp(socket) {
  sockets.delete(socket);
  tell({ socket, closed: true });
}

/** @param {unknown} error */
function fail(error) {
  console.error(error); // shows the reason to developers
  tell({ failed: "broken" });
}

self.addEventListener("message", ({ data }) => {
  take(data).catch(fail);
});
