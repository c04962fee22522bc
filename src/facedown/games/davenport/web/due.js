// Who has to pick, from what is public (D3, D4): the browser never takes the server's word for it.

/** @param {any} view @param {string} rules @returns {number[][]} */
export function due({ outcome, seats_in: seats }, rules) {
  if (outcome !== null) return [];
  return /\bplacing=in_turn\b/.test(rules) ? seats.map((/** @type {number} */ seat) => [seat]) : [seats];
}
