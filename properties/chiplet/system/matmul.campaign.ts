/** Usage: npx tsx properties/chiplet/system/matmul.campaign.ts [--mode decoupled|coupled|iterative] */
import process from 'node:process';
import { Run } from '../../../kernel/run.ts';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import { productOf } from '../../../scenarios/chiplet/system/matmul.ts';
import { campaignWords } from '../../words.campaign.ts';
import { givenFrom } from './trial.ts';

const usage = `The product of a 400x100 and a 100x400 matrix over four GPU chiplets in all modes, all 160,000 elements compared with one computed without chiplets. Minutes a mode.

  npx tsx properties/chiplet/system/matmul.campaign.ts [--mode decoupled|coupled|iterative]

Exit codes: 0 every product is right and messages, packets and flits are conserved, 1 not so, 2 wrong usage.
`;

/** 40,000 values of the left factor once, 40,000 of the right one four times, 160,000 of the product back; flits of each. */
const messages = 40_000 + 4 * 40_000 + 160_000;
const flits = 4;

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
  const equal = expected.filter((value, at) => product[at] === value).length;
  const sum = (of: 'sent' | 'received'): number => result.chiplets.reduce((all, one) => all + one[of], 0);
  const { sent, delivered, unread } = result.messages;
  const { finished, injectedPackets, injectedFlits } = result.network;
  const counts = { sent, delivered, left: sum('sent'), came: sum('received'), packets: finished };
  const conserved =
    Object.values(counts).every((count) => count === messages) &&
    injectedPackets === messages &&
    injectedFlits === messages * flits &&
    unread === 0;
  const right = verdict === 'ok' && equal === expected.length && product.length === expected.length;
  console.log(
    `${mode}: ${equal} of ${expected.length} elements compared are ${right ? 'all' : 'NOT ALL'} right`,
  );
  console.log(
    `  conservation ${conserved ? 'holds' : 'DOES NOT HOLD'}: ${JSON.stringify(counts)}, ${injectedFlits} flits`,
  );
  for (const { label, value } of systemMachine.figures(result)) console.log(`  ${label}: ${value}`);
  if (!right || !conserved) process.exitCode = 1;
}
