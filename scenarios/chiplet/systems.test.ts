import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemMachine } from '../../machines/chiplet/system.ts';
import { judge } from '../judge.ts';
import { loadScenario } from '../load.ts';
import { simulate } from '../simulate.ts';

const folder = 'scenarios/chiplet';
/** The large product takes minutes: `npm run campaign:chiplet-matmul`. */
const files = readdirSync(folder).filter((file) => /^system-.*\.yaml$/.test(file) && !file.includes('full'));

test.each(files)('%s comes to what it expects', async (file) => {
  const { scenario, machine } = await loadScenario(`${folder}/${file}`, [systemMachine as never]);
  const { outcome, result } = simulate(scenario, machine);

  expect(scenario.expect).toBeDefined();
  expect(judge(scenario.expect, { outcome, result })).toEqual([]);
});
