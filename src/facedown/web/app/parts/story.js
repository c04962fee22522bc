// Story of a finished game in one sentence: the server says which are true (`core/parts/story.py`), the reader's
// language words them.

/** @import { GameTable, NarrationContext } from "../contract.js" */
/** @import { Sentence, Story } from "../net/protocol.js" */

const LONGEST = 60;

/** A sentence as this reader reads it: about themselves, about what they met, or about others.
 * @param {Sentence} sentence @param {GameTable|null} game @param {NarrationContext} ctx */
function textOf({ key, who, whom, card, numbers }, game, ctx) {
  const form = !who ? "" : who === ctx.you ? ".you" : whom && whom === ctx.you ? ".mine" : ".other";
  return ctx.words(`${key}${form}`, {
    ...numbers,
    ...(who && { name: ctx.names(who) }),
    ...(whom && { other: ctx.names(whom) }),
    ...(card && { card: game?.pickName(card, ctx) ?? card }),
  });
}

/** The first sentence that is short enough, else the last; empty if the game has no story.
 * @param {Story|null|undefined} story @param {GameTable|null} game @param {NarrationContext} ctx */
export function storyText(story, game, ctx) {
  const texts = (story?.sentences ?? []).map((each) => textOf(each, game, ctx));
  return texts.find((each) => each.length <= LONGEST) ?? texts.at(-1) ?? "";
}
