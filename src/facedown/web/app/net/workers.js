// The two workers of this page: the service worker, which keeps it for times without a network, and the one that runs
// Python. Nothing else that this page creates may be run: the policy of script addresses is here.

/** @param {string} address */
function checked(address) {
  const { origin, pathname } = new URL(address, document.baseURI);
  if (origin === location.origin && /\/(sw|run\/\w+\/worker)\.js$/.test(pathname)) return address;
  throw new TypeError(`${address} is no script of this page`);
}

const { trustedTypes } = /** @type {any} */ (globalThis);
const policy = trustedTypes?.createPolicy("facedown", { createScriptURL: checked });

/** An address that may be run. @param {string} address */
const scriptAddress = (address) => (policy ? policy.createScriptURL(address) : checked(address));

/** Starts a worker of modules. @param {string} address */
export const startWorker = (address) => new Worker(scriptAddress(address), { type: "module" });

/** The service worker, once it is active; null where there can be none.
 * @param {string} address @returns {Promise<ServiceWorker|null>} */
export async function registerWorker(address) {
  if (!("serviceWorker" in navigator)) return null;
  await navigator.serviceWorker.register(scriptAddress(address));
  return (await navigator.serviceWorker.ready).active;
}
