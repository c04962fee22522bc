// The draws of a finished game as its record names them: which options there were, and which one came up.
// Knows no rule: the record says from which options its draws began, and each draw takes one away.

/** Each draw as the number of options and the place of the one drawn; null where the record does not name the options.
 * `fair.pools` lists the options, in canonical order, of every draw (`at`, from 0) that does not simply go on with what
 * the draw before it left.
 * @param {{chance: string[], fair?: {pools?: {at: number, options: string[]}[]}}} record
 * @returns {{count: number, place: number}[]|null} */
export function drawsOf({ chance, fair }) {
  if (!fair?.pools) return null;
  const begins = new Map(fair.pools.map(({ at, options }) => [at, options]));
  /** @type {string[]} */
  let options = [];
  return chance.map((drawn, at) => {
    options = begins.get(at) ?? options;
    const place = options.indexOf(drawn);
    const draw = { count: Math.max(1, options.length), place };
    options = options.filter((_, i) => i !== place);
    return draw;
  });
}
