/** Usage: npx tsx properties/explore/check-brute-force.campaign.ts [--systems 2000] [--seed 0] [--runs 60] [--json] */
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { againstBruteForce } from '../../kernel/explore/testing/against-brute-force.ts';
import { campaignWords } from '../words.campaign.ts';

const usage = `The exhaustive checker against brute force: random systems with initial choices, state machines made anew, families, restarts, faults with budgets, observers,
symmetry. Their states and findings must be those of plain runs under all tapes, and each finding must replay to itself.

  npx tsx properties/explore/check-brute-force.campaign.ts [options]

  --systems N   systems that are compared, default 2000; those with too many runs are not counted
  --seed N      seed of the first one, default 0
  --runs N      runs that one system may have, default 60
  --json        one JSON object on standard output instead of the table

Exit codes: 0 nothing differs, 1 something does, 2 wrong usage, 130 interrupted.
`;

const { given, natural } = campaignWords(usage, {
  systems: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '0' },
  runs: { type: 'string', default: '60' },
  json: { type: 'boolean', default: false },
});
const systems = natural(given.systems, 'systems', 1);
const first = natural(given.seed, 'seed', 0);
const runsMax = natural(given.runs, 'runs', 1);

let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});
const count = (counts: Record<string, number>, what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const began = performance.now();
const total = { compared: 0, tooLarge: 0, runs: 0, states: 0, findings: 0 };
const features: Record<string, number> = {};
const kinds: Record<string, number> = {};
const differing: { readonly seed: number; readonly differences: readonly string[] }[] = [];
for (let seed = first; total.compared < systems && !interrupted; seed++) {
  const compared = againstBruteForce(seed, runsMax);
  if (!compared) {
    total.tooLarge++;
    continue;
  }
  const { runs, states, findings, differences } = compared;
  total.compared++;
  total.runs += runs;
  total.states += states;
  total.findings += findings.length;
  for (const feature of new Set(compared.features)) count(features, feature);
  for (const kind of findings.map((line) => line.split(':')[0]!)) count(kinds, kind);
  if (differences.length > 0) differing.push({ seed, differences });
  if (process.stderr.isTTY)
    process.stderr.write(`\r\x1b[K${total.compared} of ${systems} systems, ${differing.length} differ`);
  // Lets an interrupt through.
  await setImmediate();
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');

const wallSeconds = Math.round(performance.now() - began) / 1000;
if (given.json)
  process.stdout.write(`${JSON.stringify({ ...total, features, kinds, differing, wallSeconds })}\n`);
else {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([what, times]) => `  ${String(times).padStart(6)}  ${what}\n`)
      .join('');
  process.stdout.write(
    `${total.compared} systems compared (${total.tooLarge} more have over ${runsMax} runs): ${total.runs} runs, ${total.states} states, ${total.findings} findings, ${wallSeconds} s\n` +
      `systems with\n${list(features)}findings\n${list(kinds)}` +
      `${differing.length} differ\n` +
      differing.map(({ seed, differences }) => `seed ${seed}:\n  ${differences.join('\n  ')}\n`).join(''),
  );
}
process.exitCode = interrupted ? 130 : differing.length > 0 ? 1 : 0;
