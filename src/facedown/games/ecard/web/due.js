// Who has to pick, from what is public (E4, E7, E8, E12, E13): the browser never takes the server's word for it.

/** What counts here of the presets; all other options are those of `classic`. @type {Record<string, object>} */
const PRESETS = {
  classic: {},
  short: { rounds: 6 },
  victories: {},
  decisive: { placing: "together", tie: "extra" },
  purse: { tie: "pair" },
};
const CLASSIC = { placing: "alternate", tie: "draw", rounds: 12, group: 3 };

/** @param {string} rules @returns {typeof CLASSIC|null} null for a preset that is not known here */
function optionsOf(rules) {
  const [, preset, differing = ""] = /^(\w+)(?:\((.*)\))?$/.exec(rules) ?? [];
  if (preset === undefined || !Object.hasOwn(PRESETS, preset)) return null;
  /** @type {any} */
  const options = { ...CLASSIC, ...PRESETS[preset] };
  for (const [, name, value] of differing.matchAll(/(\w+)=(\w+)/g))
    options[name] = name === "rounds" || name === "group" ? Number(value) : value;
  return options;
}

/** The Emperor side of a round (E8, E12). @param {typeof CLASSIC} options @param {number} opening that of the first
 * @param {number} round */
function emperorOf({ rounds, group, tie }, opening, round) {
  const extra = round > rounds && tie === "pair" ? (round - rounds - 1) % 2 : 0;
  const swaps = Math.floor((Math.min(round, rounds) - 1) / group) + extra;
  return swaps % 2 === 0 ? opening : 3 - opening;
}

/** @param {any} view @param {string} rules @returns {number[][]|null} */
export function due({ outcome, round, play, stake, sides }, rules) {
  const options = optionsOf(rules);
  if (!options) return null;
  if (outcome !== null) return [];
  const emperor = emperorOf(options, sides[0], round);
  if (stake === null) return [[3 - emperor]];
  if (options.placing === "together") return [[1, 2]];
  const inGroup = round > options.rounds ? 0 : (round - 1) % options.group;
  const first = (inGroup + play) % 2 === 1 ? emperor : 3 - emperor;
  return [[first], [3 - first]];
}
