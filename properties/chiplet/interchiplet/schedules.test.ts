import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Choices, RandomChoices } from '../../../kernel/choices.ts';
import { Run } from '../../../kernel/run.ts';
import { PctChoices } from '../../../kernel/schedules/pct.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { type JointWork, orderedWork, places, scriptsOf } from './scenarios.ts';
import { trial } from './trial.ts';
import { type InterchipletWorkload, workloadOf, workloads } from './workloads.ts';

/** A seed of its own, so that a failure of the suite can be repeated. */
const parameters = { numRuns: effort({ short: 8, long: 40 }), seed: 23 };

/** Four processes without races: each joint step is the next one of all who take part in it, so nobody waits in a circle. */
const workloadFrom = (work: JointWork, rounds: number): InterchipletWorkload => {
  const scripts = scriptsOf(work);
  return workloadOf(
    Object.fromEntries(places.map((place, index) => [place, scripts[index]!])),
    Object.fromEntries(places.map((place, index) => [place, work.rates[index]!])),
    { rounds, networkRate: work.networkRate },
  );
};

const schedulesOf = (seed: number): Choices[] => [new RandomChoices(seed), new PctChoices(seed)];

test('C4: without races the rounds stand still, and a further round makes the same trace', () => {
  const law = fc.property(orderedWork, (one) => {
    // A barrier lets one more round pass until all that follows has its times.
    const meetings = one.steps.filter(({ kind }) => kind === 'barrier').length;
    const enough = 6 + 2 * meetings;
    const { raised, result } = trial(workloadFrom(one, enough + 1));

    expect(raised).toEqual([]);
    // Two transactions that a source begins in one cycle of the network may come back in another order (see below).
    fc.pre(result.warnings.length === 0);
    const [before, last] = result.rounds.slice(-2);
    expect(last!.bench).toEqual(before!.bench);
    expect(last!.logs).toEqual(before!.logs);
    expect(last!.cycles).toBe(before!.cycles);
  });

  fc.assert(law, parameters);
}, 60_000);

test('C4: without races every schedule leads to the same rounds', () => {
  const law = fc.property(orderedWork, fc.nat(999), (one, seed) => {
    const first = trial(workloadFrom(one, 4));
    for (const choices of schedulesOf(seed)) {
      const other = trial(workloadFrom(one, 4), { choices });
      expect(other.raised).toEqual(first.raised);
      expect(other.result.rounds.map(sorted)).toEqual(first.result.rounds.map(sorted));
      expect(other.result.warnings).toEqual(first.result.warnings);
    }
  });

  fc.assert(law, parameters);
}, 60_000);

/** A round with its trace in an order of its own: equal cycles stand in the order of arrival. */
const sorted = ({
  bench,
  ...round
}: {
  readonly bench: readonly string[];
  readonly delay: readonly string[];
}) => ({
  ...round,
  bench: [...bench].sort(),
  delay: [...round.delay].sort(),
});

test.each(Object.entries(workloads))('%s: no property is hurt under any schedule', (_, workload) => {
  for (let seed = 0; seed < 25; seed++)
    for (const choices of schedulesOf(seed)) expect(trial(workload, { choices }).raised).toEqual([]);
});

test('from the second round on a lock has one order, whoever asks first', () => {
  const orders = new Set<string>();
  const firsts = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const { result } = trial(workloads.contention, { choices: new RandomChoices(seed) });
    firsts.add(JSON.stringify(result.rounds[0]!.logs));
    orders.add(JSON.stringify(result.rounds.at(-1)!.logs));
  }

  expect(firsts.size).toBe(2);
  expect(orders.size).toBe(1);
});

test('two transactions of one source in one cycle of the network may come back out of order', () => {
  const { result } = trial(
    workloadOf(
      {
        '1,0': [
          ['send', 0, 1, 1],
          ['send', 0, 0, 1],
        ],
        '0,1': [['recv', 1, 0, 1]],
        '0,0': [['recv', 1, 0, 1]],
      },
      {},
      { networkRate: 2 },
    ),
  );

  // From round 2 on both begin in cycle 0, and the second one is over first: a list ordered by cycle cannot tell them apart.
  expect(result.rounds[1]!.bench).toEqual(['0 0 1 0 0 1 2 0', '0 0 1 0 0 0 2 0']);
  expect(result.rounds[1]!.delay[0]).toBe('0 1 0 0 0 0 2 1 6');
  expect(result.warnings[0]).toContain('round 3: W-ORDER (1,0) asks for SEND to (0,1)');
});

/** Forces who locks first, against the way of requests in the network: the one far from its controller. */
const farOneFirst = {
  '1,1': [
    ['lock', 250],
    ['unlock', 250],
    ['send', 0, 0, 1],
  ],
  '0,0': [
    ['recv', 1, 1, 1],
    ['lock', 250],
    ['unlock', 250],
  ],
} as const;

const discarded = (round: number, why: string) =>
  `round ${round}: W-ORDER nobody can go on in the recorded order: ${why}; the records are discarded`;

test('a recorded order of a lock that keeps everybody from going on is discarded', () => {
  for (const choices of [undefined, ...schedulesOf(1), ...schedulesOf(2)]) {
    const { raised, result } = trial(workloadOf(farOneFirst, {}, { rounds: 3 }), choices ? { choices } : {});

    expect(raised).toEqual([]);
    const why = 'lock 250 is kept for (0,0) from (1,1)';
    expect(result.warnings).toEqual([discarded(2, why), discarded(3, why)]);
    expect(result.rounds.map(({ cycles }) => cycles)).toEqual([10, 10, 10]);
    expect(result.rounds[2]!.bench).toEqual(result.rounds[1]!.bench);
  }
});

test('nobody stays behind who waits for his turn in an order that was given up with the records', () => {
  const { raised, result, run } = trial(
    workloadOf(
      {
        '0,0': [
          ['lock', 250],
          ['unlock', 250],
          ['send', 0, 1, 1],
          ['lock', 250],
          ['unlock', 250],
          ['launch', 0, 1],
        ],
        '0,1': [
          ['lock', 250],
          ['unlock', 250],
          ['recv', 1, 0, 1],
          ['recv', 1, 1, 1],
          ['recv', 0, 0, 1],
          ['waitlaunch'],
        ],
        '1,0': [['send', 0, 1, 1]],
        '1,1': [['send', 0, 1, 1]],
      },
      {},
      { rounds: 3, networkRate: 2 },
    ),
  );

  expect([raised, run.outcome.verdict]).toEqual([[], 'ok']);
  expect(result.warnings[0]).toContain('(0,0) asks for SEND to (0,1)');
  expect(result.warnings[1]).toBe(discarded(3, 'lock 250 is kept from (0,1)'));
});

test('so is a recorded order of launches', () => {
  const { raised, result } = trial(
    workloadOf(
      {
        '2,2': [
          ['launch', 0, 1],
          ['send', 0, 0, 1],
        ],
        '0,0': [
          ['recv', 2, 2, 1],
          ['launch', 0, 1],
        ],
        '0,1': [['waitlaunch'], ['waitlaunch']],
      },
      {},
      { rounds: 3 },
    ),
  );

  expect(raised).toEqual([]);
  expect(result.warnings).toEqual(
    [2, 3].map((round) => discarded(round, '(0,1) waits for another LAUNCH than that of (2,2)')),
  );
  const waited = result.rounds.map(({ logs }) => logs['0,1']!.map(([, x, y]) => [x, y]));
  expect(waited).toEqual(
    Array.from({ length: 3 }, () => [
      [2, 2],
      [0, 0],
    ]),
  );
});

test('a lock whose rightful taker only sleeps is kept for him', () => {
  const { raised, result } = trial(
    workloadOf(
      {
        '0,1': [
          ['sleep', 0.5],
          ['lock', 249],
          ['unlock', 249],
        ],
        '1,0': [
          ['compute', 500],
          ['lock', 249],
          ['unlock', 249],
        ],
      },
      {},
      { rounds: 2 },
    ),
  );

  expect(raised).toEqual([]);
  expect(result.warnings).toEqual([]);
  // In the first round the one that did not sleep came first; in the network the other one was earlier.
  expect(result.rounds.map(({ logs }) => Number(logs['0,1']![0]!.at(-1)) < 100)).toEqual([false, true]);
});

test('a lock that nobody holds can be given back, again and again: a transaction like others', () => {
  const { raised, result } = trial(
    workloadOf({
      '0,0': [
        ['unlock', 250],
        ['compute', 5],
        ['unlock', 250],
      ],
    }),
  );

  expect(raised).toEqual([]);
  // Two flits without a record; with one, the request and its acknowledgement in router (0, 0) itself (chiplet specification 9.5, 9.7).
  expect(result.rounds[0]!.logs['0,0']).toEqual([
    ['unlock', 250, 0, 2],
    ['unlock', 250, 7, 9],
  ]);
  expect(result.rounds.at(-1)!.logs).toEqual(result.rounds.at(-2)!.logs);
});

test('a count that is said later replaces the one before it', () => {
  const { raised } = trial(
    workloadOf(
      {
        '0,0': [['barrier', 9, 3]],
        '0,1': [
          ['sleep', 0.1],
          ['barrier', 9, 2],
        ],
      },
      {},
      { rounds: 2 },
    ),
  );

  expect(raised.filter((one) => one !== 'a barrier of the coordinator opens when all have come')).toEqual([]);
});

test('a command out of the recorded order is told once, and the round goes on without records', () => {
  const { config, programs } = workloads.transfers;
  const delay = ['1000 0 0 1 0 0 2 10 15', '1010 0 0 0 1 0 2 10 400'];

  const { raised, result } = trial({ config: { ...config, rounds: 1, delay }, programs });

  expect(raised).toEqual([]);
  expect(result.warnings).toEqual([
    'round 1: W-ORDER (0,0) asks for SEND to (0,1) with desc 0; recorded was (1,0) with desc 0; the records are discarded',
  ]);
  expect(result.rounds[0]!.logs['0,0']![0]).toEqual(['send', 0, 1, 640, 1000, 1011]);
});

test('the engines agree', () => {
  for (const workload of Object.values(workloads)) {
    const [first, ...others] = [
      { engine: 'compiled', state: 'mutable' } as const,
      { engine: 'compiled', state: 'immutable' } as const,
      { engine: 'xstate' } as const,
    ].map((options) => {
      const { result, run } = trial(workload, options);
      return { result, fingerprint: run.fingerprint };
    });
    for (const other of others) expect(other).toEqual(first);
  }
});

test.each(Object.entries(workloads))(
  '%s goes on from snapshots as if it had never stopped',
  (_, workload) => {
    const { wiring } = interchipletMachine.assemble({
      name: 'test',
      mutants: [],
      scheduled: false,
      ...workload,
    });
    const whole = new Run(wiring);
    const prints: string[] = [];
    while (whole.tick()) prints.push(whole.fingerprint);
    const run = new Run(wiring);

    for (let tick = 0; run.tick(); tick++) {
      if (tick % 7 !== 0) continue;
      const again = Run.restore(wiring, run.snapshot());
      again.toEnd();
      expect(again.fingerprint).toBe(prints.at(-1));
    }

    expect(prints.length).toBeGreaterThan(20);
  },
);
