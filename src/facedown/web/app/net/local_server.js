// The server inside this page, as the page sees it: a worker that answers requests and runs tables; and the files that
// it needs, stored in this browser. Loaded when it is first needed.

import { root } from "../router.js";
import { FILES, RUN } from "./place.js";
import { startWorker } from "./workers.js";

/** @import { RunFiles } from "./place.js" */

const address = (/** @type {string} */ path) => new URL(path, root()).href;

/** Stores everything that is missing; the list itself is stored last, as proof that the rest is complete.
 * @param {RunFiles} files @param {(part: number) => void} onPart how many of the bytes are there, from 0 to 1 */
export async function fetchAll(files, onPart) {
  const cache = await caches.open(RUN);
  const wanted = files.files.map(address);
  let bytes = 0;
  const count = (/** @type {number} */ more) => {
    bytes += more;
    onPart(Math.min(1, bytes / files.unpacked));
  };
  await Promise.all(
    wanted.map(async (each) => {
      const found = await cache.match(each);
      if (found) return count((await found.blob()).size);
      const response = await fetch(each);
      if (!response.ok) throw new TypeError(`${each}: ${response.status}`);
      const counting = countBytes(response.clone(), count);
      await cache.put(each, response);
      await counting;
    }),
  );
  await cache.put(address(FILES), new Response(JSON.stringify(files)));
  const still = new Set([...wanted, address(FILES)]);
  for (const { url } of await cache.keys()) if (!still.has(url)) await cache.delete(url);
}

/** @param {Response} response @param {(bytes: number) => void} count */
async function countBytes(response, count) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) count(read.value.length);
}

/** @typedef {{onText: (text: string) => void, onClose: () => void}} SocketEnd */

/** @param {RunFiles} files @param {(part: number) => void} onPart @param {AbortSignal} givenUp aborts the start
 * @param {Promise<void>} wanted resolved when there is a request: the tables are opened then
 * @returns {Promise<LocalServer>} */
export async function startServer(files, onPart, givenUp, wanted) {
  if (givenUp.aborted) throw stoppedError();
  const worker = startWorker(address(files.worker));
  let unkept = false;
  return new Promise((done, failed) => {
    const end = (/** @type {Error} */ error) => {
      worker.terminate();
      failed(error);
    };
    const onGivenUp = () => end(stoppedError());
    givenUp.addEventListener("abort", onGivenUp);
    worker.onerror = () => end(startError("broken"));
    worker.onmessage = ({ data }) => {
      if (data.part !== undefined) onPart(data.part);
      else if (data.unkept) unkept = true;
      else if (data.failed) end(startError(data.failed));
      else if (data.ready) {
        givenUp.removeEventListener("abort", onGivenUp);
        done(new LocalServer(worker, unkept));
      }
    };
    const { pause } = files;
    worker.postMessage({ start: { pyodide: address(files.pyodide), code: address(files.code), pause } });
    wanted.then(() => worker.postMessage({ wanted: true }));
  });
}

const DEAD = JSON.stringify({ status: 503, body: JSON.stringify({ code: "here_broken" }) });

const stoppedError = () => Object.assign(new Error("stopped"), { code: "stopped" });

/** @param {string} why */
const startError = (why) => Object.assign(new Error(why), { code: `here_${why}` });

export class LocalServer {
  /** @param {Worker} worker @param {boolean} unkept whether this browser keeps no copy */
  constructor(worker, unkept) {
    this.worker = worker;
    this.unkept = unkept;
    this.count = 0;
    this.onUnkept = () => {};
    this.onDead = () => {};
    /** @type {Map<number, (text: string) => void>} */
    this.answers = new Map();
    /** @type {Map<number, SocketEnd>} */
    this.sockets = new Map();
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = () => this.die();
  }

  /** The worker failed: pending requests are rejected, and the next one starts another worker on the saved copy. */
  die() {
    this.worker.terminate();
    this.onDead();
    for (const answer of this.answers.values()) answer(DEAD);
    for (const socket of [...this.sockets.keys()]) this.forget(socket)?.onClose();
  }

  /** @param {any} message */
  receive({ answer, socket, text, closed, unkept, failed }) {
    if (failed) this.die();
    else if (answer !== undefined) {
      this.answers.get(answer)?.(text);
      this.answers.delete(answer);
    } else if (closed) this.forget(socket)?.onClose();
    else if (socket !== undefined) this.sockets.get(socket)?.onText(text);
    else if (unkept) this.onUnkept();
  }

  /** @param {string} path @param {{method: string, headers: Record<string, string>, body?: string}} request
   * @returns {Promise<Response>} */
  async request(path, { method, headers, body = "" }) {
    const request = JSON.stringify({ method, path: `/api/v1${path}`, headers, body });
    const { status, body: text } = JSON.parse(await this.ask({ request }));
    return new Response(status === 204 || status === 304 ? null : text, { status });
  }

  /** Every check of `facedown verify`. @param {{record: any, origin: any, keys: Record<string, string>,
   *   language: string}} asked @returns {Promise<{check: string, holds: boolean|null, say: string}[]>} */
  async verify(asked) {
    const found = JSON.parse(await this.ask({ record: JSON.stringify(asked) }));
    if (!Array.isArray(found)) throw startError("broken");
    return found;
  }

  /** @param {Record<string, string>} what @returns {Promise<string>} */
  ask(what) {
    const number = ++this.count;
    this.worker.postMessage({ ask: number, ...what });
    return new Promise((done) => this.answers.set(number, done));
  }

  /** @param {SocketEnd} end */
  connect(end) {
    const socket = ++this.count;
    this.sockets.set(socket, end);
    this.worker.postMessage({ socket, open: true });
    return {
      send: (/** @type {string} */ text) => this.worker.postMessage({ socket, text }),
      close: () => this.forget(socket) && this.worker.postMessage({ socket, close: true }),
    };
  }

  /** @param {number} socket */
  forget(socket) {
    const end = this.sockets.get(socket);
    this.sockets.delete(socket);
    return end;
  }
}
