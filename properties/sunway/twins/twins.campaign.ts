import { compareGenerated } from './generated-twins.ts';

const usage = `The explicit parts of a Sunway node against their fast twins on generated scenarios: messages at the borders of parts, probes and results, tick by tick.
usage: npx tsx properties/sunway/twins/twins.campaign.ts [--runs 10000] [--seed 18] [--from 0]`;

const option = (name: string, usual: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};

if (process.argv.includes('--help')) console.log(usage);
else {
  const [runs, seed, from] = [option('--runs', 10_000), option('--seed', 18), option('--from', 0)];
  let [messages, different] = [0, 0];
  for (let index = from; index < from + runs; index++) {
    const { messages: equal, difference } = compareGenerated(seed, index);
    messages += equal;
    if (difference === undefined) continue;
    different++;
    console.log(`scenario ${index}:\n  explicit: ${difference.explicit}\n  fast: ${difference.fast}`);
  }
  console.log(JSON.stringify({ runs, seed, messages, different }));
  process.exitCode = different > 0 ? 1 : 0;
}
