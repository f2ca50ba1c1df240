import fc from 'fast-check';
import { RandomChoices } from '../../kernel/choices.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { drawnProgram } from './gasnet-oracle.ts';
import { wrongWith } from './gasnet-oracle-run.ts';
import { settings } from './gasnet-settings.arbitrary.ts';

/*
 * Random programs against a sequential memory, many of them: `npm run campaign:gasnet -- 1000 7` runs a thousand from seed 7.
 */

const [runs = '1000', seed = '1'] = process.argv.slice(2);

const law = fc.property(drawnProgram, settings, fc.nat(9999), (drawn, gasnet, schedule) => {
  for (const choices of [undefined, new RandomChoices(schedule), new PctChoices(schedule)]) {
    const wrong = wrongWith(drawn, gasnet, choices);
    if (wrong !== undefined) throw new Error(wrong);
  }
});

fc.assert(law, { numRuns: Number(runs), seed: Number(seed) });
console.log(
  `${runs} random programs from seed ${seed}, three schedules each: all as the sequential memory has it`,
);
