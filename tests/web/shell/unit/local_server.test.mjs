// The start of the server in this page can be aborted before it has begun.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./resolve.mjs";

const { startServer } = await import("/app/net/local_server.js");

test("a start that is aborted at once creates no worker (Node has none)", async () => {
  const files = /** @type {any} */ ({ worker: "run/x/worker.js", pyodide: "run/x/", code: "run/x/code.zip", pause: 0 });

  await assert.rejects(() => startServer(files, () => {}, AbortSignal.abort()), { code: "stopped" });
});
