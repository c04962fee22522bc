// Names of cards and lists of seats in the language shown, and the order in which a hand is held.

/** @import { Words } from "/app/contract.js" */

const ORDER = "A23456789TJQK";
/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** A card in a few signs: 10♥.
 * @param {string} card */
export function signed(card) {
  const [rank, suit] = card;
  return `${rank === "T" ? "10" : rank}${SIGNS[suit]}`;
}

/** A card as it is read aloud: Ten of hearts.
 * @param {string} card @param {Words} words */
export function spoken(card, words) {
  const [rank, suit] = card;
  return words("card", { rank: words(`rank.${rank}`), suit: words(`suit.${suit}`) });
}

/** A hand as it is held: from Ace to King.
 * @param {string[]} hand */
export function held(hand) {
  return [...hand].sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]) || (a[1] < b[1] ? -1 : 1));
}

/** The card of a pick, and whether the pick gives it away.
 * @param {string} pick */
export function readPick(pick) {
  return pick.startsWith("x") ? { card: pick.slice(1), exchange: true } : { card: pick, exchange: false };
}

/** Parts as a sentence lists them.
 * @param {string[]} parts @param {Words} words */
export function listed(parts, words) {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(words("list.comma"))}${words("list.and")}${parts[parts.length - 1]}`;
}

/** @param {number[]} seats @param {number} you */
export const yoursFirst = (seats, you) =>
  seats.includes(you) ? [you, ...seats.filter((each) => each !== you)] : seats;

/** Who drew how many, in one phrase: those who drew the same number stand together, you before the others.
 * @param {number[]} drew @param {number} you @param {(seat: number) => string} call @param {Words} words */
export function drawn(drew, you, call, words) {
  const numbers = [...new Set(drew)].filter((n) => n > 0).sort((a, b) => a - b);
  const parts = numbers.map((count) => {
    const seats = drew.flatMap((each, i) => (each === count ? [i + 1] : []));
    return words("drew", { names: listed(yoursFirst(seats, you).map(call), words), count });
  });
  return parts.join(words("list.comma"));
}
