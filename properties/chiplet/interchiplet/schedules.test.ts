import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScriptStep } from '../../../actors/chiplet/interchiplet/script.ts';
import { type Choices, RandomChoices } from '../../../kernel/choices.ts';
import { Run } from '../../../kernel/run.ts';
import { PctChoices } from '../../../kernel/schedules/pct.ts';
import { interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { trial } from './trial.ts';
import { type InterchipletWorkload, workloadOf, workloads } from './workloads.ts';

/** A seed of its own, so that a failure of the suite can be repeated. */
const parameters = { numRuns: 40, seed: 23 };

/** What chiplets do together, one after another: no two of them can be waited for in the wrong order. */
const joint = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      from: fc.nat(3),
      to: fc.nat(3),
      bytes: fc.constantFrom(1, 64, 100, 640, 4096),
    }),
  },
  fc.record({ kind: fc.constant('barrier' as const), uid: fc.constantFrom(200, 201) }),
  fc.record({ kind: fc.constant('launch' as const), from: fc.nat(3), to: fc.nat(3) }),
  fc.record({ kind: fc.constant('compute' as const), who: fc.nat(3), cycles: fc.nat(900) }),
);
const drawn = fc.record({
  steps: fc.array(joint, { minLength: 1, maxLength: 12 }),
  rates: fc.array(fc.constantFrom(1, 0.5, 2, 3), { minLength: 4, maxLength: 4 }),
  networkRate: fc.constantFrom(1, 2, 0.5),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const places = ['0,0', '0,1', '1,0', '1,1'] as const;
const coordinates = (index: number): [number, number] => [index >> 1, index & 1];

/** Four processes without races: each joint step is the next one of all who take part in it, so nobody waits in a circle. */
function workloadFrom({ steps, rates, networkRate }: Drawn, rounds: number): InterchipletWorkload {
  const scripts: ScriptStep[][] = places.map(() => []);
  for (const step of steps)
    switch (step.kind) {
      case 'compute':
        scripts[step.who]!.push(['compute', step.cycles]);
        break;
      case 'barrier':
        for (const script of scripts) script.push(['barrier', step.uid, 4]);
        break;
      case 'transfer':
        if (step.from === step.to) break;
        scripts[step.from]!.push(['send', ...coordinates(step.to), step.bytes]);
        scripts[step.to]!.push(['recv', ...coordinates(step.from), step.bytes]);
        break;
      case 'launch': {
        // Launches of two who do not wait for each other would be a race.
        if (step.from !== 0 || step.to === 0) break;
        scripts[step.from]!.push(['launch', ...coordinates(step.to)]);
        scripts[step.to]!.push(['waitlaunch']);
      }
    }
  return workloadOf(
    Object.fromEntries(places.map((place, index) => [place, scripts[index]!])),
    Object.fromEntries(places.map((place, index) => [place, rates[index]!])),
    { rounds, networkRate },
  );
}

const schedulesOf = (seed: number): Choices[] => [new RandomChoices(seed), new PctChoices(seed)];

test('C4: without races the rounds stand still, and a further round makes the same trace', () => {
  const law = fc.property(drawn, (one) => {
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
  const law = fc.property(drawn, fc.nat(999), (one, seed) => {
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
