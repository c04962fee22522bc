// The start of the server in this page can be given up before anything of it has begun.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./resolve.mjs";

const { startServer } = await import("/app/net/local_server.js");

test("whoever gives up at once starts no worker, of which there are none here", async () => {
  const files = /** @type {any} */ ({ worker: "run/x/worker.js", pyodide: "run/x/", code: "run/x/code.zip", pause: 0 });

  await assert.rejects(() => startServer(files, () => {}, AbortSignal.abort()), { code: "stopped" });
});
