// The two workers of this page: the service worker, which keeps it for times without a network, and the one that runs
// Python. The page may run no other worker: the policy of script addresses is here.

/** @param {string} address */
function checkScript(address) {
  const { origin, pathname } = new URL(address, document.baseURI);
  if (origin === location.origin && /\/(sw|run\/\w+\/worker)\.js$/.test(pathname)) return address;
  throw new TypeError(`${address} is no script of this page`);
}

const { trustedTypes } = /** @type {any} */ (globalThis);
const policy = trustedTypes?.createPolicy("facedown", { createScriptURL: checkScript });

/** An address that may run as a script. @param {string} address */
const scriptAddress = (address) => (policy ? policy.createScriptURL(address) : checkScript(address));

/** Starts a worker of modules. @param {string} address */
export const startWorker = (address) => new Worker(scriptAddress(address), { type: "module" });

/** The service worker, once it is active; null if unsupported.
 * @param {string} address @returns {Promise<ServiceWorker|null>} */
export async function registerWorker(address) {
  if (!("serviceWorker" in navigator)) return null;
  await navigator.serviceWorker.register(scriptAddress(address));
  const { active } = await navigator.serviceWorker.ready;
  if (active?.state === "activating")
    await new Promise((done) => active.addEventListener("statechange", done, { once: true }));
  return active;
}
