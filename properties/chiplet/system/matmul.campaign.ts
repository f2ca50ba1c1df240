/** Usage: npx tsx properties/chiplet/system/matmul.campaign.ts [--mode decoupled|coupled|iterative] */
import process from 'node:process';
import { Run } from '../../../kernel/run.ts';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import { productOf } from '../../../scenarios/chiplet/system/matmul.ts';
import { campaignWords } from '../../words.campaign.ts';
import { givenFrom } from './trial.ts';

const usage = `The product of a 400x100 and a 100x400 matrix over four GPU chiplets in all modes, compared with one computed without chiplets. Minutes a mode.

  npx tsx properties/chiplet/system/matmul.campaign.ts [--mode decoupled|coupled|iterative]

Exit codes: 0 every product is right and every message that was sent was delivered, 1 not so, 2 wrong usage.
`;

const modes = ['decoupled', 'coupled', 'iterative'] as const;
const { given, refuse } = campaignWords(usage, { mode: { type: 'string' } });
const chosen = modes.filter((mode) => given.mode === undefined || given.mode === mode);
if (chosen.length === 0) refuse(`--mode is "${given.mode}", expected one of: ${modes.join(', ')}`);

const expected = productOf(400, 100, 400);
for (const mode of chosen) {
  const sound: SystemGiven = await givenFrom('system-matmul-full.yaml', { mode });
  const assembly = systemMachine.assemble(sound);
  const run = new Run(assembly.wiring);
  const { verdict } = run.toEnd();
  const result = assembly.result(run);
  const { product = [] } = result.chiplets[0]!.outputs;
  const wrong = expected.filter((value, at) => product[at] !== value).length;
  const { sent, delivered } = result.messages;
  const right = verdict === 'ok' && wrong === 0 && product.length === expected.length && sent === delivered;
  console.log(`${mode}: ${right ? 'right' : 'WRONG'}, ${wrong} of ${expected.length} elements differ`);
  for (const { label, value } of systemMachine.figures(result, run.outcome))
    console.log(`  ${label}: ${value}`);
  if (!right) process.exitCode = 1;
}
