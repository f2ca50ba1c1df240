/** Usage: npx tsx bench/fuzz-speed.ts [--json] */
import { setup } from 'xstate';
import { canonical, RandomChoices, RecordingChoices } from '../kernel/choices.ts';
import { component } from '../kernel/kit.ts';
import type { Address } from '../kernel/message.ts';
import { Run } from '../kernel/run.ts';
import { PctChoices } from '../kernel/schedules/pct.ts';
import { PosChoices } from '../kernel/schedules/pos.ts';
import { Wiring } from '../kernel/wiring.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * Schedules a second: eight actors that pass eight tokens at once, 64 deliveries a run, each run built, carried out under a schedule of its own, and
 * its end looked at. The goal is 50,000 on one thread.
 */

interface Node {
  readonly next: Address;
  seen: number;
}
interface Token {
  readonly type: 'token';
  readonly left: number;
}

const { update, post } = component<Node, Token>();

const node = setup({
  types: {} as { context: Node; events: Token; input: Node },
  actions: {
    count: update<'token'>((context) => {
      context.seen++;
    }),
    pass: post<'token'>(({ next }, { left }) =>
      left > 1 ? { to: next, type: 'token', left: left - 1 } : [],
    ),
  },
}).createMachine({
  id: 'node',
  context: ({ input }) => ({ ...input }),
  on: { token: { actions: ['count', 'pass'] } },
});

const actors = 8;
const wiring = new Wiring();
const addresses = Array.from({ length: actors }, (_, at) => wiring.reserve(`Node[${at}]`));
for (const [at, self] of addresses.entries()) {
  wiring.place(self, node, { next: addresses[(at + 1) % actors]!, seen: 0 });
  wiring.boot.push({ to: self, type: 'token', left: 8 } as never);
}

const runs = 4000;
const variant = (
  name: string,
  choicesOf: (seed: number) => ConstructorParameters<typeof RecordingChoices>[0],
): Variant => ({
  name,
  run: () => {
    const began = process.hrtime.bigint();
    for (let seed = 0; seed < runs; seed++) {
      const { verdict, deliveries } = new Run(wiring, { choices: choicesOf(seed) }).toEnd();
      if (verdict !== 'ok' || deliveries !== 64) throw new Error(`${verdict} after ${deliveries} deliveries`);
    }
    return { work: runs, seconds: Number(process.hrtime.bigint() - began) / 1e9 };
  },
});

const measurement = measure(
  [
    variant('first come, first served', () => canonical),
    variant('random', (seed) => new RandomChoices(seed)),
    variant('random, recorded', (seed) => new RecordingChoices(new RandomChoices(seed))),
    variant('pct', (seed) => new PctChoices(seed)),
    variant('pos', (seed) => new PosChoices(seed)),
  ],
  { unit: 'schedules', baseline: 'first come, first served' },
);
console.log(reportMeasurement(measurement, process.argv.includes('--json')));
