import { campaignWords } from '../../words.campaign.ts';
import { nodeVerdict } from './on-node.ts';
import { type OracleVerdict, oracleVerdict, programKinds } from './oracle-run.ts';

const usage = `The race detector against the oracle, both ways, by both policies. All programs run on a plain node, every tenth of those that come to their end on the machine as well.

  npm run campaign:sunway-race-oracle -- [options]

  --programs N   random programs, default 100000
  --seed N       seed of the first one; the others follow, default 1

Exit codes: 0 none different, 1 some different, 2 wrong usage.
`;

const { given, natural } = campaignWords(usage, {
  programs: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
});
const [programs, first] = [natural(given.programs, 'programs', 1), natural(given.seed, 'seed', 0)];
const everyNode = 10;
const shownMax = 10;

const tallies = new Map<string, { programs: number; reported: number; wrong: number }>();
const kinds = new Map<string, number>();
let shown = 0;

function note(where: string, seed: number, { kind, told, kinds: found, wrong }: OracleVerdict): void {
  const key = `${where}, ${kind}`;
  const tally = tallies.get(key) ?? { programs: 0, reported: 0, wrong: 0 };
  tallies.set(key, tally);
  tally.programs++;
  if (told > 0) tally.reported++;
  for (const one of found) kinds.set(one, (kinds.get(one) ?? 0) + 1);
  if (wrong.length === 0) return;
  tally.wrong++;
  if (shown++ < shownMax) console.log(`seed ${seed}, ${key}: ${wrong.slice(0, 3).join('; ')}`);
}

/** A program that makes one of them throw differs as well. */
function judged(seed: number, judge: (seed: number) => OracleVerdict): OracleVerdict {
  try {
    return judge(seed);
  } catch (error) {
    const kind = programKinds[seed % programKinds.length]!;
    return { kind, told: 0, kinds: [], wrong: [String(error)] };
  }
}

const end = first + programs;
for (let seed = first; seed < end; seed++) {
  note('plain node', seed, judged(seed, oracleVerdict));
  if (seed % everyNode === 0 && programKinds[seed % programKinds.length] !== 'any')
    note('machine', seed, judged(seed, nodeVerdict));
  if ((seed + 1 - first) % 1000 === 0) console.error(`${seed + 1 - first} programs`);
}

for (const [key, { programs: count, reported, wrong }] of [...tallies].sort())
  console.log(
    `${key}: ${count} programs, ${reported} with errors, ${wrong} in which detector and oracle differ`,
  );
console.log(`programs by kind of error: ${[...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
const wrong = [...tallies.values()].reduce((sum, one) => sum + one.wrong, 0);
console.log(
  `${programs} programs from seed ${first}: ${wrong === 0 ? 'none different' : `${wrong} different`}`,
);
process.exitCode = wrong === 0 ? 0 : 1;
