// Runs the browser's witness over tapes of honest games in a file, and prints what it found in each.

import "./resolve.mjs";
import { readFileSync } from "node:fs";
import { settle } from "./operator.mjs";

const { unhex } = await import("/app/net/commitments.js");
const { differences, Witness } = await import("/app/net/witness.js");

/** What the player of the tape does, beside what the server says. */
const ACTS = {
  clock: (witness, { at }) => (witness.time = at),
  hello: (witness) => witness.hello(),
  own: (witness, { decision, pick, nonce }) => {
    if (!witness.maySeal(decision)) throw new Error(`decision ${decision} is not to be sealed`);
    witness.seal(decision, pick, unhex(nonce));
    witness.notePickSent(decision);
  },
  acked: (witness, { decision, n }) => witness.noteSealed(decision, n),
  opens: async (witness, { decision }) => {
    await settle();
    if (!witness.toReveal() || witness.compared !== decision)
      throw new Error(`decision ${decision} is not to be opened`);
    witness.noteRevealSent(decision);
    witness.noteRevealed(decision);
  },
};

const found = [];
for (const { table, entropy, game, frames, record } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const { due } = await import(new URL(`../../../../src/facedown/games/${game}/web/due.js`, import.meta.url));
  const witness = new Witness({ table, seat: 1, entropy, now: () => witness.time ?? 0 });
  witness.setDue(due);
  for (const frame of frames) await (ACTS[frame.t]?.(witness, frame) ?? witness.take(frame));
  await settle();
  const unsigned = witness.chain.number - witness.covered;
  found.push([witness.alarm, unsigned, witness.memory.elsewhere, differences(witness.memory, record)]);
}
process.stdout.write(JSON.stringify(found));
