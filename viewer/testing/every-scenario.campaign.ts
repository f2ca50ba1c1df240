/** Usage: npm run campaign:viewer -- [--only WORDS]: each scenario of the repository comes in the page to what it comes to on the command line. */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { bothWays, everyScenario } from './same-as-command-line.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const tally = { equal: 0, different: 0, none: 0 };
for (const file of everyScenario.filter((one) => one.includes(values.only))) {
  const began = performance.now();
  const both = await bothWays(file).catch((error: unknown) => ({ page: String(error), command: 'ran' }));
  const kind =
    both === undefined ? 'none' : isDeepStrictEqual(both.page, both.command) ? 'equal' : 'different';
  tally[kind]++;
  console.log(`${file}: ${kind}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (kind === 'different') console.log(JSON.stringify(both, undefined, 1));
}
console.log(`${tally.equal} equal, ${tally.different} different, ${tally.none} no scenarios`);
if (tally.different > 0) process.exitCode = 1;
