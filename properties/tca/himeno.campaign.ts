import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { decompose } from '../../actors/tca/himeno/decomposition.ts';
import { gridSizes } from '../../actors/tca/himeno/grid.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { himenoGoldenSchema } from '../../scenarios/tca/himeno-cases.ts';
import { runHimeno } from '../../scenarios/tca/himeno-run.ts';
import { drawnNodes, drawnSetting, wrongWith } from './himeno-runs.ts';

/*
 * `npm run campaign:himeno -- random 1000 7` solves a thousand random problems from seed 7, under three schedules each (TCA specification 19, I16);
 * `npm run campaign:himeno -- golden 64 [2x2]` runs every row of the golden data with that imax on nodes, in one decomposition or in all;
 * `npm run campaign:himeno -- M 4x2 2` runs size M against direct copies: two iterations in 4 x 2 blocks.
 */

const [kind = 'random', ...words] = process.argv.slice(2);
const all = ['1x1', '2x1', '1x2', '4x1', '1x4', '2x2', '4x2', '2x4'];
const countsOf = (text: string): [number, number] => {
  const [A, B] = text.split('x').map(Number);
  if (!all.includes(text))
    throw new Error(`decomposition: found "${text}", expected one of ${all.join(', ')}`);
  return [A!, B!];
};

if (kind === 'random') {
  const [runs = '1000', seed = '1'] = words;
  const law = fc.property(drawnSetting, drawnNodes, fc.nat(9999), (setting, nodes, schedule) => {
    for (const choices of [undefined, new RandomChoices(schedule), new PctChoices(schedule)]) {
      const wrong = wrongWith(setting, nodes, choices && { choices });
      if (wrong !== undefined) throw new Error(wrong);
    }
  });
  if (!/^[1-9]\d*$/.test(runs) || !/^\d+$/.test(seed))
    throw new Error(`found "${runs}" and "${seed}", expected a number of runs from 1 on, and a seed`);
  fc.assert(law, { numRuns: Number(runs), seed: Number(seed) });
  console.log(`${runs} random problems from seed ${seed}, three schedules each: p right to the last bit`);
} else if (kind === 'golden') {
  const [imax = '32', only] = words;
  const golden = himenoGoldenSchema.parse(
    JSON.parse(readFileSync(new URL('golden/himeno.json', import.meta.url), 'utf8')),
  );
  let [compared, failed] = [0, 0];
  for (const one of golden.cases.filter((each) => each.imax === Number(imax)))
    for (const text of only === undefined ? all : [only]) {
      const [A, B] = countsOf(text);
      if (A > one.imax || B > one.jmax) continue;
      const began = process.hrtime.bigint();
      const { imax: i, jmax, kmax, variant: data, iterations } = one;
      const setting = { data, iterations, order: 'sequential' } as const;
      const { result } = runHimeno({ ...setting, decomposition: decompose({ imax: i, jmax, kmax }, A, B) });
      const meets =
        result !== undefined &&
        (['pCrc32', 'pFnv1a64', 'pMidBits', 'pSumF64'] as const).every((key) => result[key] === one[key]) &&
        Math.abs(result.gosaF64 / one.gosaF64 - 1) <= 1e-12;
      compared++;
      if (!meets) failed++;
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      console.log(
        `${data} ${i}x${jmax}x${kmax} ${iterations} iterations, ${text}x1: ${result?.pCrc32} ` +
          `${meets ? 'as golden' : `expected ${one.pCrc32}`}, ${seconds.toFixed(1)} s`,
      );
    }
  if (compared === 0)
    throw new Error(`found no row with imax ${imax} that fits ${only ?? 'a decomposition'}`);
  if (failed > 0) process.exitCode = 1;
} else if (kind === 'M') {
  const [text = '2x2', iterations = '2'] = words;
  const setting = { data: 'mixed', iterations: Number(iterations), order: 'sequential' } as const;
  const wrong = wrongWith({ ...setting, decomposition: decompose(gridSizes.M, ...countsOf(text)) }, {});
  console.log(`M ${text}x1, ${iterations} iterations: ${wrong ?? 'p right to the last bit'}`);
  if (wrong !== undefined) process.exitCode = 1;
} else throw new Error(`found "${kind}", expected random, golden or M`);
