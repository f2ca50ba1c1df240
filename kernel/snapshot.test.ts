import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, setup } from 'xstate';
import { type Choices, canonical, RandomChoices, RecordingChoices, TapeChoices } from './choices.ts';
import type { Hasher } from './hash.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import type { Resource } from './resource.ts';
import { Run, type RunOptions } from './run.ts';
import { memberOf, Wiring } from './wiring.ts';

/** A small memory: the simplest resource that would show a shared page. */
class Cells implements Resource {
  readonly cells: Uint8Array;
  constructor(cells: Uint8Array | number) {
    this.cells = typeof cells === 'number' ? new Uint8Array(cells) : cells.slice();
  }
  fork(): Cells {
    return new Cells(this.cells);
  }
  hash(into: Hasher): void {
    into.numbers(this.cells);
  }
}

interface WorkerContext {
  readonly self: Address;
  readonly others: readonly Address[];
  readonly jobs: Address;
  readonly cells: Cells;
  left: number;
  log: { at: number; from: number }[];
}
type WorkerEvent = { type: 'work' } | { type: 'given'; value: number; by: number };

const kit = component<WorkerContext, WorkerEvent>();

/** Writes into its cells, gives away what it finds there to somebody drawn, and opens jobs. */
const worker = setup({
  types: {} as {
    context: WorkerContext;
    events: WorkerEvent;
    input: Omit<WorkerContext, 'cells' | 'left' | 'log'>;
  },
  guards: { tired: kit.when((c) => c.left === 0), odd: kit.when((c) => c.left % 2 === 1) },
  actions: {
    write: kit.choose('a cell', 4, (c, _event, pick) => {
      c.cells.cells[pick]! += c.left;
      c.left--;
    }),
    give: kit.post((c) => ({
      to: c.others[c.left % c.others.length]!,
      type: 'given',
      value: c.cells.cells[c.left % 4]!,
      by: c.self,
      delay: c.left % 3,
    })),
    openJob: kit.post((c) => ({ to: memberOf(c.jobs, c.left), type: 'work', delay: 1 })),
    goOn: kit.post((c) => ({ to: c.self, type: 'work', delay: 1 + (c.left % 2) * 3 })),
    take: kit.update<'given'>((c, { value, by }) => {
      c.log.push({ at: value, from: by });
      c.cells.cells[value % 4]! ^= value + by;
    }),
    show: kit.probe((c) => ({ type: 'left', left: c.left, cells: [...c.cells.cells] })),
    complain: kit.report<'given'>((_c, { value, by }) =>
      value > 11 ? { property: 'values are small', why: `${value} by ${by}` } : undefined,
    ),
  },
}).createMachine({
  id: 'worker',
  context: ({ input }) => ({ ...input, cells: new Cells(4), left: 7, log: [] }),
  initial: 'working',
  states: {
    working: {
      on: {
        work: [
          { guard: 'tired', target: 'resting' },
          { guard: 'odd', actions: ['write', 'show', 'give', 'openJob', 'goOn'] },
          { actions: ['write', 'give', 'goOn'] },
        ],
        given: { actions: ['take', 'complain'] },
      },
    },
    resting: { tags: ['waiting'], on: { work: {}, given: { actions: ['take', 'complain'] } } },
  },
});

interface JobContext {
  readonly boss: Address;
  steps: number;
}
const jobKit = component<JobContext, { type: 'work' }>();
/** Tells its boss of its birth and reports its end: what happens at a birth must not happen again when it is restored. */
const job = setup({
  types: {} as { context: JobContext; events: { type: 'work' }; input: Address },
  actions: {
    tell: jobKit.post((c) => ({ to: c.boss, type: 'given', value: 3, by: 99 })),
    count: jobKit.choose('steps', 3, (c, _event, pick) => {
      c.steps += pick + 1;
    }),
    complain: jobKit.report(() => ({ property: 'nobody is born', why: 'somebody was' })),
  },
}).createMachine({
  id: 'job',
  context: ({ input }) => ({ boss: input, steps: 0 }),
  initial: 'open',
  states: { open: { entry: ['tell', 'count', 'complain'], on: { work: { actions: 'count' } } } },
});

/** `second`, where it is given, is in the place of the second worker. */
function workshop(second?: AnyStateMachine): Wiring {
  const wiring = new Wiring();
  const all = ['A', 'B', 'C'].map((name) => wiring.reserve(name));
  const jobs = wiring.family('Job', () => ({ machine: job, input: all[0] }));
  for (const [number, self] of all.entries()) {
    const others = all.filter((other) => other !== self);
    if (number === 1 && second) wiring.place(self, second, all[0]);
    else wiring.place(self, worker, { self, others, jobs });
    wiring.boot.push({ to: self, type: 'work', delay: 2 });
  }
  return wiring;
}

/** All that can be seen of a run from here on. */
function watch(run: Run): () => readonly unknown[] {
  const seen: unknown[] = [];
  run.probes$.subscribe(({ actor, tick, probe }) => seen.push([tick, actor, probe]));
  run.messages$.subscribe(({ message, from, to, index }) =>
    seen.push([index, from, to, message.seq, message.cause, message.due, message.event]),
  );
  run.picks$.subscribe((pick) => seen.push(pick));
  run.violations$.subscribe((violation) => seen.push(violation));
  return () => seen;
}

const modes: readonly [string, RunOptions][] = [
  ['tables, mutable', {}],
  ['tables, immutable', { state: 'immutable' }],
  ['XState', { engine: 'xstate' }],
];
const producers: readonly [string, () => Choices][] = [
  ['first come, first served', () => canonical],
  ['random', () => new RandomChoices(11)],
  ['a tape', () => new TapeChoices([1, 0, 3, 2, 1, 1, 0, 2, 5, 4, 3, 2, 1, 2, 1, 2, 1, 3, 3, 1])],
  ['a recording', () => new RecordingChoices(new RandomChoices(4))],
];

const pairs = modes.flatMap(([taken, from]) =>
  modes.flatMap(([restored, to]) =>
    producers.map(([choices, make]) => [taken, restored, choices, from, to, make] as const),
  ),
);

describe('a snapshot', () => {
  test.each(pairs)(
    'taken by %s, restored in %s, with choices %s, goes on at every tick as if it had never stopped',
    (_taken, _restored, _choices, from, to, make) => {
      const straight = new Run(workshop(), { ...from, choices: make() });
      const snapshots = [straight.snapshot()];
      const seen = watch(straight);
      const seenAt = [0];
      while (straight.tick()) {
        snapshots.push(straight.snapshot());
        seenAt.push(seen().length);
      }
      expect(snapshots.length).toBeGreaterThan(9);

      for (const [number, snapshot] of snapshots.entries()) {
        const run = Run.restore(workshop(), snapshot, { ...to, choices: make() });
        const sees = watch(run);

        expect(run.toEnd()).toEqual(straight.outcome);
        expect(run.fingerprint).toBe(straight.fingerprint);
        expect(sees()).toEqual(seen().slice(seenAt[number]));
      }
    },
  );

  test('holds what its run was, so that it restores to the same outcome and fingerprint before any step', () => {
    for (const until of [-1, 0, 1, 2, 5, 9, 1000]) {
      const run = new Run(workshop(), { choices: new RandomChoices(3) });
      run.until(until);

      const other = Run.restore(workshop(), run.snapshot(), { choices: new RandomChoices(0) });

      const { deadlock: _, verdict: __, ...counted } = run.outcome;
      expect(other.outcome).toMatchObject(counted);
      expect(other.fingerprint).toBe(run.fingerprint);
      expect([other.now, other.parts.map(({ name, since }) => [name, since])]).toEqual([
        run.now,
        run.parts.map(({ name, since }) => [name, since]),
      ]);
    }
  });

  test.each(modes)('stays usable: many runs may go on from it, each by itself (%s)', (_, options) => {
    const first = new Run(workshop(), { ...options, choices: new RandomChoices(5) });
    first.until(6);
    const snapshot = first.snapshot();
    const print = first.fingerprint;

    const ends = [1, 2, 3, 1].map((seed) =>
      Run.restore(
        workshop(),
        { ...snapshot, choices: new RandomChoices(seed).save() },
        { ...options, choices: new RandomChoices(0) },
      ),
    );
    // They take turns, so that anything shared would show.
    for (let running = true; running; ) running = ends.map((run) => run.tick()).some(Boolean);

    expect(ends[3]!.fingerprint).toBe(ends[0]!.fingerprint);
    expect(new Set(ends.map((run) => run.fingerprint)).size).toBe(3);
    expect(first.fingerprint).toBe(print);
    const again = Run.restore(workshop(), snapshot, { ...options, choices: new RandomChoices(0) });
    expect(again.fingerprint).toBe(print);
    expect(again.toEnd()).toEqual(first.toEnd());
    expect(again.fingerprint).toBe(first.fingerprint);
  });

  test.each(modes)('does not disturb the run it is taken from (%s)', (_, options) => {
    const run = new Run(workshop(), { ...options, choices: new RandomChoices(5) });
    const undisturbed = new Run(workshop(), { ...options, choices: new RandomChoices(5) });

    while (run.tick())
      Run.restore(workshop(), run.snapshot(), { ...options, choices: new RandomChoices(9) }).toEnd();

    expect(undisturbed.toEnd()).toEqual(run.outcome);
    expect(run.fingerprint).toBe(undisturbed.fingerprint);
  });

  test('of immutable state copies no plain data, and that of mutable state copies all', () => {
    const immutable = new Run(workshop(), { state: 'immutable' });
    const mutable = new Run(workshop());
    for (const run of [immutable, mutable]) run.until(8);

    const logs = (run: Run) =>
      run
        .snapshot()
        .parts.map(({ address, snapshot }) => ({ kept: snapshot.context, now: run.part(address).context }))
        .filter(({ now }) => 'log' in now);

    for (const { kept, now } of logs(immutable)) {
      expect(kept['log']).toBe(now['log']);
      expect(kept['others']).toBe(now['others']);
      expect(kept['cells']).not.toBe(now['cells']);
    }
    const job = immutable.snapshot().parts.at(-1)!;
    expect(job.snapshot.context).toBe(immutable.part(job.address).context);
    for (const { kept, now } of logs(mutable)) {
      expect(kept['log']).toEqual(now['log']);
      expect(kept['log']).not.toBe(now['log']);
    }
  });

  test('restores the tape of a recording as a whole', () => {
    const recording = new RecordingChoices(new RandomChoices(4));
    const run = new Run(workshop(), { choices: recording });
    run.until(6);
    const snapshot = run.snapshot();
    run.toEnd();

    const goesOn = new RecordingChoices(new RandomChoices(0));
    Run.restore(workshop(), snapshot, { choices: goesOn }).toEnd();

    expect(recording.tape.length).toBeGreaterThan(20);
    expect(goesOn.tape).toEqual(recording.tape);
  });

  test('is refused by another wiring (KRN010)', () => {
    const run = new Run(workshop());
    run.until(5);
    const snapshot = run.snapshot();
    const at = (place: number) => place as Address;
    const smaller = new Wiring();
    smaller.place('A', worker, { self: at(0), others: [at(0)], jobs: at(2 ** 20) });
    const larger = workshop();
    larger.place('D', worker, { self: at(3), others: [at(0)], jobs: at(2 ** 20) });
    const other = workshop(job);

    expect(() => Run.restore(smaller, snapshot)).toThrow('KRN010 address 1: the wiring has no such actor');
    expect(() => Run.restore(larger, snapshot)).toThrow('KRN010 D: the snapshot does not know this actor');
    expect(() => Run.restore(other, snapshot)).toThrow(
      'KRN010 B: the snapshot is of another state machine than "job"',
    );
    expect(() => Run.restore(other, snapshot, { engine: 'xstate' })).toThrow(
      'KRN010 B: the snapshot is of another state machine than "job"',
    );
    expect(() => Run.restore(workshop(), snapshot, { choices: new RandomChoices(1) })).toThrow(
      'KRN010 choices: the snapshot was taken with another kind of choices than random choices',
    );
  });

  test.each([
    ['a function', { f: () => 1 }],
    ['an instance of a class', { m: new URLSearchParams() }],
  ])('of a context that holds %s is refused, naming the actor (KRN007)', (_, context) => {
    const machine = setup({}).createMachine({ id: 'odd', context: () => context as never });
    const wiring = new Wiring();
    wiring.place('Odd', machine, 0);

    expect(() => new Run(wiring).snapshot()).toThrow('KRN007 Odd.');
  });
});
