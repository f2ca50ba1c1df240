import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { type Choices, canonical, RandomChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { type BarrierOpen, barrier } from './barrier.ts';
import { ByteMemory, pageBytes } from './byte-memory.ts';
import { type MutexGranted, mutex } from './mutex.ts';
import { Program } from './program.ts';

type Operation =
  | { readonly op: 'lock' }
  | { readonly op: 'unlock' }
  | { readonly op: 'meet' }
  | { readonly op: 'store'; readonly at: number; readonly value: number }
  | { readonly op: 'load'; readonly at: number };

/** Everything a small processor of the tests may hold: a memory, a running program, an address of a lock and of a barrier. */
interface CoreContext {
  readonly spec: CoreInput;
  readonly memory: ByteMemory;
  readonly program: Program<Operation, number>;
  operation: Operation | null;
  result: number;
  generation: number;
}
interface CoreInput {
  readonly self: Address;
  readonly core: number;
  readonly lock: Address;
  readonly barrier: Address;
}
type CoreEvent = { type: 'go' } | MutexGranted | BarrierOpen;

const { update, post, when, probe } = component<CoreContext, CoreEvent>();
const is = (op: Operation['op']) => when((c) => c.operation?.op === op);

/** What it does next depends on all it loaded so far: a program that is fed something else goes elsewhere. */
function* work(core: number): Generator<Operation, void, number> {
  let seen = core;
  for (let round = 0; round < 3; round++) {
    yield { op: 'lock' };
    const at = ((seen * 7) % 5) * pageBytes + core;
    const value = yield { op: 'load', at };
    seen = (seen * 31 + value + round) % 251;
    yield { op: 'store', at, value: seen };
    yield { op: 'unlock' };
    seen += yield { op: 'meet' };
  }
}

const core = setup({
  types: {} as { context: CoreContext; events: CoreEvent; input: CoreInput },
  guards: {
    locks: is('lock'),
    unlocks: is('unlock'),
    meets: is('meet'),
    over: when((c) => c.operation === null),
  },
  actions: {
    fetch: update((c) => {
      c.operation = c.program.next(c.result) ?? null;
      c.result = 0;
    }),
    carryOut: update((c) => {
      const { operation } = c;
      if (operation?.op === 'store') c.memory.write(operation.at, operation.value);
      if (operation?.op === 'load') c.result = c.memory.read(operation.at);
    }),
    show: probe((c) => ({ type: 'done', operation: c.operation, result: c.result })),
    acquire: post((c) => ({ to: c.spec.lock, type: 'mutex.acquire', by: c.spec.self })),
    release: post((c) => ({ to: c.spec.lock, type: 'mutex.release', by: c.spec.self })),
    arrive: post((c) => ({
      to: c.spec.barrier,
      type: 'barrier.arrive',
      party: c.spec.core,
      generation: c.generation,
    })),
    goOn: post((c) => ({ to: c.spec.self, type: 'go', delay: 1 + (c.spec.core % 2) })),
    noteOpen: update<'barrier.open'>((c, { generation }) => {
      c.generation = generation + 1;
      c.result = generation;
    }),
  },
}).createMachine({
  id: 'core',
  context: ({ input }) => ({
    spec: input,
    memory: new ByteMemory(6 * pageBytes),
    program: new Program(() => work(input.core)),
    operation: null,
    result: 0,
    generation: 0,
  }),
  initial: 'ready',
  states: {
    ready: { on: { go: 'working' } },
    working: {
      entry: ['fetch', 'show'],
      always: [
        { guard: 'over', target: 'home' },
        { guard: 'locks', target: 'waitingForLock', actions: 'acquire' },
        { guard: 'meets', target: 'waitingForOthers', actions: 'arrive' },
        { guard: 'unlocks', target: 'ready', actions: ['release', 'goOn'] },
        { target: 'ready', actions: ['carryOut', 'goOn'] },
      ],
    },
    waitingForLock: {
      tags: ['waiting'],
      meta: waitsFor<CoreContext>('the lock', (c) => c.spec.lock),
      on: { 'mutex.granted': { target: 'ready', actions: 'goOn' } },
    },
    waitingForOthers: {
      tags: ['waiting'],
      meta: waitsFor<CoreContext>('the barrier', (c) => c.spec.barrier),
      on: { 'barrier.open': { target: 'ready', actions: ['noteOpen', 'goOn'] } },
    },
    home: {},
  },
});

function cores(): Wiring {
  const wiring = new Wiring();
  const lock = wiring.place('Lock', mutex, { order: 'any' });
  const meeting = wiring.reserve('Barrier');
  const all = [0, 1, 2].map((index) => wiring.reserve(`Core[${index}]`));
  wiring.place(meeting, barrier, { parties: all });
  for (const [index, self] of all.entries()) {
    wiring.place(self, core, { self, core: index, lock, barrier: meeting });
    wiring.boot.push({ to: self, type: 'go' });
  }
  return wiring;
}

const modes: readonly [string, RunOptions][] = [
  ['tables, mutable', {}],
  ['tables, immutable', { state: 'immutable' }],
  ['XState', { engine: 'xstate' }],
];
const producers: readonly [string, () => Choices][] = [
  ['first come, first served', () => canonical],
  ['random', () => new RandomChoices(11)],
];
const pairs = modes.flatMap(([taken, from]) =>
  modes.flatMap(([restored, to]) =>
    producers.map(([choices, make]) => [taken, restored, choices, from, to, make] as const),
  ),
);

function watch(run: Run): unknown[] {
  const seen: unknown[] = [];
  run.probes$.subscribe(({ actor, tick, probe: shown }) => seen.push([tick, actor, shown]));
  run.messages$.subscribe(({ message, from, to }) => seen.push([from, to, message.seq, message.event]));
  return seen;
}

describe('a machine with memories, programs, a barrier and a mutex', () => {
  test.each(pairs)(
    'taken by %s and restored in %s goes on at every tick as if it had never stopped (%s)',
    (_taken, _restored, _choices, from, to, make) => {
      const straight = new Run(cores(), { ...from, choices: make() });
      const seen = watch(straight);
      const snapshots = [{ snapshot: straight.snapshot(), from: 0 }];
      while (straight.tick()) snapshots.push({ snapshot: straight.snapshot(), from: seen.length });

      expect(straight.outcome.verdict).toBe('ok');
      expect(snapshots.length).toBeGreaterThan(20);
      for (const one of snapshots) {
        const run = Run.restore(cores(), one.snapshot, { ...to, choices: make() });
        const sees = watch(run);

        expect(run.toEnd()).toEqual(straight.outcome);
        expect(run.fingerprint).toBe(straight.fingerprint);
        expect(sees).toEqual(seen.slice(one.from));
      }
    },
  );

  test('is the same machine in every engine, tick by tick', () => {
    for (const [, make] of producers) {
      const runs = modes.map(([, options]) => new Run(cores(), { ...options, choices: make() }));
      for (let running = true; running; ) {
        running = runs.map((run) => run.tick()).every(Boolean);
        expect(new Set(runs.map((run) => run.fingerprint)).size).toBe(1);
      }
      expect(runs.map((run) => run.outcome)).toEqual(runs.map(() => runs[0]!.outcome));
    }
  });
});
