// Who can open this page's links: the door to the home network, which the person who started Facedown opens on their
// own computer.

import { signal } from "../html.js";
import { ask, get, guestSession } from "../net/api.js";

/** @import { Reach } from "../net/rest.js" */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a link leads to this computer alone. @param {string} address */
export const isLocal = (address) => LOOPBACK.test(new URL(address).hostname);

/** The server's answer about the door; null before the request. */
export const reach = signal(/** @type {Reach|null} */ (null));

/** Asks the server, if only this computer can open this page. */
export async function lookAtDoor() {
  if (isLocal(location.origin)) reach.value = await get("/reach").catch(() => null);
}

/** Opens or closes the door. @param {"open"|"closed"} door */
export async function setDoor(door) {
  await guestSession();
  reach.value = await ask("PUT", "/reach", { door });
}

/** A link of this page as others can open it: by the address in the home network while the door is open.
 * @param {string} address */
export function sharedAddress(address) {
  const open = reach.value?.address;
  if (!open || !isLocal(address)) return address;
  const { pathname, search } = new URL(address);
  return `${open}${pathname}${search}`;
}
