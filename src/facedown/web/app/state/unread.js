// Unread chat messages: those of others at a table since its chat was last open in this browser.

import { signal } from "../html.js";
import { read, write } from "../storage.js";

/** @import { ChatMessage, TableInfo } from "../net/protocol.js" */

/** By table: the time of the last message that was read. */
const upTo = signal(/** @type {Record<string, number>} */ ({}));

/** @param {string} table @returns {number} */
const readUpTo = (table) => upTo.value[table] ?? read(`read.${table}`, 0);

/** @param {TableInfo} table @param {number} seat one's own @returns {ChatMessage[]} */
export const unread = ({ id, said, yours }, seat) =>
  said.filter((each) => each.at > readUpTo(id) && each.seat !== seat && !yours.includes(each.seat));

/** Marks every message as read. @param {TableInfo} table */
export function markRead({ id, said }) {
  const last = said.at(-1)?.at ?? 0;
  if (last <= readUpTo(id)) return;
  upTo.value = { ...upTo.value, [id]: last };
  write(`read.${id}`, last);
}

/** Whether there is anyone to chat with: other people at the table, or for spectators other spectators; not for people
 * who share this device, between their turns.
 * @param {TableInfo} table @param {number} seat */
export function hasCompany({ seats, yours, hotseat }, seat) {
  if (seat === 0) return yours.length === 0;
  return !hotseat && seats.some((each) => each.kind === "person" && each.taken && !yours.includes(each.seat));
}
