import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from './explore/explorer.ts';
import type { InjectedFault } from './faults.ts';
import { component } from './kit.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

type Event = { type: 'hit' | 'late' };
interface Seen {
  late: number[];
}

const c = component<Seen, Event>();
/** Sets a timer of three ticks whenever it begins. */
const sleeper = setup({
  types: {} as { context: Seen; events: Event },
  actions: {
    begin: c.act((_seen, _event, out) => out.setTimer('late', 3)),
    note: c.act((seen, _event, out) => {
      seen.late.push(out.now);
      out.report({ property: 'it never wakes up', why: `it does in tick ${out.now}` });
    }),
  },
}).createMachine({
  id: 'sleeper',
  context: { late: [] },
  entry: 'begin',
  on: { hit: {}, late: { actions: 'note' } },
});

function wired(): Wiring {
  const wiring = new Wiring();
  const to = wiring.place('A', sleeper, undefined);
  wiring.begin({ to, type: 'hit', delay: 1 });
  return wiring;
}

const crash = (restart: number): InjectedFault => ({
  kind: 'crash',
  actor: 'A',
  budget: 1,
  probability: 1,
  restart,
});
const late = (run: Run) => (run.part('A').context as unknown as Seen).late;

// Its first timer is due in tick 3: while it is down, in the tick in which it begins anew, or behind that.
test.each([1, 2, 4])(
  'a timer that is set again after a crash goes off (restart after %i ticks)',
  (restart) => {
    const faults = [crash(restart)];
    const run = new Run(wired(), { faults });
    run.until();

    expect(late(run)).toEqual([1 + restart + 3]);
    const { findings } = new Explorer(wired, { faults }).toEnd();
    expect(findings.map(({ what, why }) => [what, why])).toEqual([
      ['it never wakes up', `it does in tick ${1 + restart + 3}`],
    ]);
  },
);

test('so it does in a run that goes on from a snapshot in which the old timer is still under way', () => {
  const run = new Run(wired(), { faults: [crash(1)] });
  run.until(2);
  const snapshot = run.snapshot();
  const other = Run.restore(wired(), snapshot, { faults: [crash(1)] });
  other.until();
  run.until();

  expect([late(other), late(run)]).toEqual([[5], [5]]);
});
