import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../../../../kernel/kit.ts';
import { Run } from '../../../../kernel/run.ts';
import { Wiring } from '../../../../kernel/wiring.ts';
import { fastSyncNet } from './sync-net.ts';

interface Waiting {
  releasedAt: number;
}
const { update } = component<Waiting, { type: 'sync.release' }>();
const cpe = setup({
  types: {} as { context: Waiting; events: { type: 'sync.release' } },
  actions: {
    go: update((one, _event, { now }) => {
      one.releasedAt = now;
    }),
  },
}).createMachine({
  id: 'cpe',
  context: { releasedAt: -1 },
  on: { 'sync.release': { actions: 'go' } },
});

/** When each of some CPEs is released, -1 for never, by who comes to a barrier of their row, or goes offline, in which cycle. */
function releases(
  count: number,
  steps: readonly (readonly [cycle: number, what: 'comes' | 'leaves', tid: number])[],
) {
  const wiring = new Wiring();
  const cpes = Array.from({ length: count }, (_, tid) => wiring.place(`Cpe[${tid}]`, cpe, undefined));
  const net = wiring.place('SyncNet', fastSyncNet, { cpes, base: 14, hop: 4, maxJitter: 0 });
  for (const [delay, what, tid] of steps) {
    const line = { kind: 'row', index: 0, mask: 2 ** count - 1, tid, agreement: 0 };
    const step = what === 'comes' ? { type: 'sync.arrive', ...line } : { type: 'sync.offline', tids: [tid] };
    wiring.begin({ to: net, delay, ...step });
  }
  const run = new Run(wiring);
  run.toEnd();
  return cpes.map((one) => (run.part(one).context as unknown as Waiting).releasedAt);
}

test('who has come to a barrier and gone offline stands for nobody who has yet to come', () => {
  const before = releases(3, [
    [0, 'comes', 0],
    [10, 'leaves', 0],
    [20, 'comes', 1],
    [500, 'comes', 2],
  ]);

  expect(before.slice(1).every((cycle) => cycle > 500)).toBe(true);
});

test('a barrier opens when the last one whom it waits for goes offline', () => {
  const [first, second, third] = releases(3, [
    [0, 'comes', 0],
    [20, 'comes', 1],
    [300, 'leaves', 2],
  ]);

  expect(first).toBeGreaterThan(300);
  expect(second).toBe(first);
  expect(third).toBe(-1);
});
