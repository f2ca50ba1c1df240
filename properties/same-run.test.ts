import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import type { Hasher } from '../kernel/hash.ts';
import { component } from '../kernel/kit.ts';
import type { Resource } from '../kernel/resource.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import type { Machine } from '../machines/machine.ts';
import { watch } from './property.ts';
import { sameRunSentence, withSameRun } from './same-run.ts';

type Fault = 'none' | 'unforked' | 'unhashed' | 'watched';

/** Counts; a copy of it lacks what its fault says. */
class Counter implements Resource {
  value = 0;
  shown = 0;
  constructor(readonly fault: Fault) {}
  fork(): Counter {
    const copy = new Counter(this.fault);
    if (this.fault !== 'unforked') copy.value = this.value;
    if (this.fault !== 'unhashed') copy.shown = this.shown;
    return copy;
  }
  hash(into: Hasher): void {
    into.number(this.shown);
    if (this.fault !== 'unforked') into.number(this.value);
  }
}

interface Clock {
  readonly counter: Counter;
}
const { act } = component<Clock, { type: 'tick' }>();
const clock = setup({
  types: {} as { context: Clock; events: { type: 'tick' }; input: Fault },
  actions: {
    tick: act(({ counter }, _event, out) => {
      counter.value += counter.fault === 'watched' && out.observed ? 2 : 1;
      counter.shown++;
      if (out.observed) out.probe({ type: 'ticked' });
      if (out.now < 20) out.post({ to: out.self, type: 'tick', delay: 1 });
    }),
  },
}).createMachine({
  id: 'clock',
  context: ({ input }) => ({ counter: new Counter(input) }),
  on: { tick: { actions: 'tick' } },
});

const config = z.strictObject({ fault: z.enum(['none', 'unforked', 'unhashed', 'watched']) });

const machine: Machine<z.output<typeof config>, null, number> = {
  name: 'clock',
  config,
  programs: z.null(),
  mutants: new Map(),
  assemble: ({ config: { fault } }) => {
    const wiring = new Wiring();
    const one = wiring.reserve('Clock');
    wiring.place(one, clock, fault);
    wiring.begin({ to: one, type: 'tick' });
    return { wiring, result: (run) => (run.part(one).context as unknown as Clock).counter.value };
  },
  figures: () => [],
};

function violationsOf(
  fault: Fault,
  programs: unknown = null,
  options?: { oneIn: number },
): readonly string[] {
  const given = { name: '', config: { fault }, programs: programs as null, mutants: [], scheduled: true };
  const assembly = machine.assemble(given);
  const run = new Run(assembly.wiring);
  const watched = withSameRun(machine, (one) => watch(one, []), options)(run, given, assembly);
  run.toEnd();
  watched.end();
  return run.outcome.violations.map(({ property, why }) => `${property}: ${why}`);
}

test('a machine that counts ends the same however it is run', () => {
  expect(violationsOf('none')).toEqual([]);
});

test.each([
  ['unforked', 'from the snapshot of tick'],
  ['unhashed', 'another fingerprint'],
  ['watched', 'when nobody watches'],
] as const)('one that is %s is found', (fault, why) => {
  const found = violationsOf(fault);

  expect(found).toHaveLength(1);
  expect(found[0]).toContain(sameRunSentence);
  expect(found[0]).toContain(why);
});

test('where only some scenarios are judged, programs that do anything besides are not carried out again', () => {
  const some = { oneIn: 2 };
  const numbers = Array.from({ length: 8 }, (_, number) => number);

  expect(numbers.flatMap((number) => violationsOf('watched', [{ number }], some)).length).toBeGreaterThan(0);
  expect(numbers.flatMap((number) => violationsOf('watched', [{ number, main: () => {} }], some))).toEqual(
    [],
  );
});
