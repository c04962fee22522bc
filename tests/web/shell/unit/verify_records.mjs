// The verdicts and checks of the browser's verification on the records in a file: a list of [record, origin or null].

import "./resolve.mjs";
import { readFileSync } from "node:fs";

const { drawsOf, verdictOf, verify } = await import("/app/net/verify.js");

const verdicts = [];
for (const [record, origin] of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const draws = record.chance.length === 0 ? [] : drawsOf(record);
  const findings = await verify(record, { draws, origin, keys: new Set([record.signed?.key ?? ""]) });
  verdicts.push([verdictOf(findings), findings.map(({ check, holds }) => [check, holds])]);
}
process.stdout.write(JSON.stringify(verdicts));
