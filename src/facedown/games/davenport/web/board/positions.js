// Positions of the seats around the oval: you at the bottom, the others clockwise from your left.

/** @typedef {{seat: number, x: number, y: number, side: "left"|"right", column: number, row: number}} Spot */

/** All others in seat order from your left. `x` and `y` are on the unit circle; `column` and `row` are for a
 * narrow page: the left column is read upwards, the right one downwards, an odd seat sits on top.
 * @param {number} seats @param {number} you @returns {Spot[]} */
export function spots(seats, you) {
  const others = seats - 1;
  const half = Math.floor(others / 2);
  const odd = others % 2;
  return Array.from({ length: others }, (_, i) => {
    const step = i + 1;
    const angle = Math.PI / 2 + (step * 2 * Math.PI) / seats;
    const x = Math.round(Math.cos(angle) * 1000) / 1000;
    const onTop = odd === 1 && step === half + 1;
    const left = step <= half;
    return {
      seat: ((you - 1 + step) % seats) + 1,
      x,
      y: Math.round(Math.sin(angle) * 1000) / 1000,
      side: x < -0.01 ? "left" : "right",
      column: onTop ? 0 : left ? 1 : 2,
      row: onTop ? 1 : odd + (left ? half - step + 1 : step - half - odd),
    };
  });
}

/** How many rows of seats a narrow page has.
 * @param {number} seats */
export const rowsOf = (seats) => Math.ceil((seats - 1) / 2);
