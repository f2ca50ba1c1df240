import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CoreId, cpeCore, mpeCore } from '../race/race-event.ts';
import type { CoreStanding, Meeting, StandStill, WaitsFor } from './blocked.ts';
import { analyseDeadlock } from './deadlock-analysis.ts';
import { waitForGraph } from './wait-for-graph.ts';

/** CPEs that take part: two rows of four. */
const cpes = Array.from({ length: 8 }, (_, tid) => cpeCore(tid));
const locks = ['a', 'b', 'c'] as const;

const row = (core: CoreId, mask: number): Meeting => {
  const first = 4 * Math.floor(core / 4);
  const members = [0, 1, 2, 3].filter((bit) => (mask >> bit) & 1 || first + bit === core);
  return {
    kind: 'row',
    name: `row ${first} with ${members.join()}`,
    members: members.map((bit) => first + bit),
  };
};
const pair = (core: CoreId, other: CoreId): Meeting => ({
  kind: 'pair',
  name: `pair ${Math.min(core, other)} ${Math.max(core, other)}`,
  members: [core, other],
});
const withHost = (core: CoreId): Meeting => ({
  kind: 'host',
  name: `host with ${core}`,
  members: [core, mpeCore()],
});

type Draw =
  | { readonly is: 'finished' | 'idle' }
  | { readonly is: 'row' | 'pair' | 'lock' | 'reply'; readonly by: number }
  | { readonly is: 'host' | 'service' };

const draw: fc.Arbitrary<Draw> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('finished' as const, 'idle' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constantFrom('row' as const, 'pair' as const, 'lock' as const, 'reply' as const),
      by: fc.nat(15),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('host' as const, 'service' as const) }) },
);

function waitOf(core: CoreId, one: Draw): WaitsFor | undefined {
  switch (one.is) {
    case 'row':
      return { kind: 'meeting', meeting: row(core, one.by) };
    case 'pair':
      return { kind: 'meeting', meeting: pair(core, (core + 1 + (one.by % 7)) % 8) };
    case 'host':
      return { kind: 'meeting', meeting: withHost(core) };
    case 'lock':
      return { kind: 'lock', lock: locks[one.by % 3]! };
    case 'reply': {
      const inFlight = one.by > 8 ? [{ issuer: core, operation: { name: 'dma_iget', step: 1 } }] : [];
      return { kind: 'reply', word: { space: core, offset: 4096 }, current: 0, value: 2, inFlight };
    }
    case 'service':
      return { kind: 'service', what: 'a file' };
    default:
      return undefined;
  }
}

const standing = (core: CoreId, one: Draw): CoreStanding => {
  const waitsFor = waitOf(core, one);
  if (waitsFor) return { core, is: 'waiting', since: 1, waitsFor };
  return { core, is: one.is === 'idle' ? 'idle' : 'finished', since: 1 };
};

/** Nodes that can stand still like that: nobody is at a meeting to which all have come, and hosts wait for somebody. */
const standStill: fc.Arbitrary<StandStill> = fc
  .tuple(
    fc.array(draw, { minLength: 8, maxLength: 8 }),
    fc.array(fc.nat(8), { minLength: 3, maxLength: 3 }),
    fc.nat(7),
  )
  .map(([draws, owned, met]) => {
    const cores = cpes.map((core) => standing(core, draws[core]!));
    const waiting = cores.filter(({ is }) => is === 'waiting').map(({ core }) => core);
    const hostWaits: WaitsFor =
      waiting.length > 0 && met < 4
        ? { kind: 'threads', threads: cpes }
        : { kind: 'meeting', meeting: withHost(cpeCore(met)) };
    const all: readonly CoreStanding[] = [
      ...cores,
      { core: mpeCore(), is: 'waiting', since: 1, waitsFor: hostWaits },
    ];
    const owners = new Map(locks.flatMap((lock, k) => (owned[k]! < 8 ? [[lock, owned[k]!] as const] : [])));
    return { cycle: 9, cores: all, owners };
  })
  .filter(({ cores }) =>
    cores.every(({ waitsFor }) => {
      if (waitsFor?.kind !== 'meeting') return true;
      const { name, members } = waitsFor.meeting;
      return members.some((member) => {
        const other = cores.find(({ core }) => core === member)?.waitsFor;
        return other?.kind !== 'meeting' || other.meeting.name !== name;
      });
    }),
  );

test('every blocked core reaches a root cause, and there is one when somebody is blocked (P24)', () => {
  let many = 0;
  fc.assert(
    fc.property(standStill, (still) => {
      const { blocked, causes } = analyseDeadlock(still);
      const graph = waitForGraph(still);
      const guilty = new Set(causes.flatMap(({ cores }) => cores));
      // The same dead end seen from several cores is one cause, told of the first of them.
      const firstAt = new Map<string, CoreId>();
      for (const { deadEnds } of graph.values())
        for (const { key, core } of deadEnds) if (!firstAt.has(key)) firstAt.set(key, core);

      expect(blocked.map(({ standing: { core } }) => core)).toEqual(
        still.cores.filter(({ is }) => is === 'waiting').map(({ core }) => core),
      );
      expect(causes.length).toBeGreaterThan(0);
      if (causes.length > 1) many++;
      for (const one of blocked) {
        const reached = new Set([one.standing.core]);
        for (const core of reached) {
          const { on = [], deadEnds = [] } = graph.get(core) ?? {};
          for (const next of [...on, ...deadEnds.map(({ key }) => firstAt.get(key)!)]) reached.add(next);
        }
        expect([...reached].some((core) => guilty.has(core))).toBe(true);
      }
    }),
    { numRuns: 400, seed: 24 },
  );

  expect(many).toBeGreaterThan(50);
});
