/*
 * Usage: npm run campaign:viewer -- [--only WORDS] [--from FILE]
 *
 * Opens each scenario of the repository in a browser and plays it to its end: it comes to what it comes to on the command line, and one that is wrong is refused in the same words. Left
 * out, by name, are runs without an end, which are for `lockstep check`, and those of which a page keeps a part only.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { machines } from '../../manifests/machines.ts';
import { foundAt, servedOf } from '../open/served.ts';
import { serve } from '../open/server.ts';
import { startBrowser } from './browser.ts';
import { type BothWays, bothWays, everyScenario, toldByPage } from './same-as-command-line.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, from: { type: 'string', default: '' } },
});
// Both ways are to come to their end, however busy this computer is.
process.env['LOCKSTEP_STEP_SECONDS'] ??= '600';
const browser = await startBrowser();
const tally = { equal: 0, refused: 0, different: 0, 'left out': 0 };
/** Of a run of 21,707,006 deliveries a page keeps four million; sines and cosines of these programs differ in their last bits between Node and a browser. */
const leftOut = ['chiplet/system-matmul-full', 'grape/leapfrog', 'grape/matrix'];
/** Those, and runs without an end. */
const isLeftOut = (file: string): boolean =>
  file.startsWith('scenarios/fairness/') || leftOut.some((name) => file === `scenarios/${name}.yaml`);

/** In a page of its own of a server of its own, as `lockstep view` opens it. */
async function told(file: string) {
  const { address, server } = await serve(await servedOf(await foundAt(file, {}), { machines }), 0);
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  try {
    return await toldByPage(page, address);
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

for (const file of everyScenario.filter((one) => one.includes(values.only) && one >= values.from)) {
  if (isLeftOut(file)) {
    tally['left out']++;
    console.log(`${file}: left out`);
    continue;
  }
  const began = performance.now();
  const both: BothWays = await bothWays(file, told);
  const kind = !isDeepStrictEqual(both.page, both.command)
    ? 'different'
    : typeof both.page === 'string'
      ? 'refused'
      : 'equal';
  tally[kind]++;
  console.log(`${file}: ${kind}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (kind === 'different') console.log(JSON.stringify(both, undefined, 1));
}
await browser.close();
console.log(
  `${tally.equal} equal, ${tally.refused} refused in the same words, ${tally.different} different, ${tally['left out']} left out`,
);
if (tally.different > 0) process.exitCode = 1;
