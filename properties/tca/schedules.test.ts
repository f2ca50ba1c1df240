import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, type Region } from '../../actors/tca/address-map.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';
import { type Choices, RandomChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { trial } from './trial.ts';
import { configOf, copy, givenOf, notify, pattern, type TcaGiven, words, workloads } from './workloads.ts';

/** A seed of its own, so that a failure of the suite can be repeated. */
const parameters = { numRuns: effort({ short: 3, long: 25 }), seed: 19 };

const region = fc.constantFrom<Region>('cpu', 'gpu');
const transfer = fc.record({
  from: region,
  to: region,
  target: fc.nat(3),
  channel: fc.nat(3),
  words: fc.integer({ min: 1, max: 120 }),
  count: fc.integer({ min: 1, max: 3 }),
  offset: fc.nat(7),
});
const drawn = fc.record({
  nodes: fc.integer({ min: 2, max: 4 }),
  tags: fc.constantFrom([32, 16, 8, 8], [2, 1, 3, 1], [1, 1, 1, 1]),
  stopDetect: fc.constantFrom('counter', 'ideal'),
  transfers: fc.array(fc.array(transfer, { maxLength: 5 }), { minLength: 4, maxLength: 4 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** Nodes that fill their memories and then send blocks to each other: every transfer has a place of its own, and a flag. */
function programsOf({ nodes, tags, stopDetect, transfers }: Drawn): TcaGiven {
  const config = configOf({ topology: 'ring', nodes, stopDetect, parameters: { tagsPerChannel: tags } });
  const flags = transfers
    .slice(0, nodes)
    .flatMap((list, source) => list.map(({ target }, slot) => ({ source, slot, target: target % nodes })));
  const program = (rank: number) =>
    function* (): Generator<NodeOperation, void, NodeAnswer> {
      const fill: Descriptor[] = (['cpu', 'gpu'] as const).flatMap((kind, k) =>
        Array.from({ length: 12 }, (_, at) =>
          words(addressOf(rank, kind, 128 * at), pattern(31 * rank + 7 * k + at, 128)),
        ),
      );
      yield { op: 'start', channel: 0, chain: fill };
      yield { op: 'stopped', channels: [0] };
      for (const [slot, one] of transfers[rank]!.entries()) {
        const target = one.target % nodes;
        const size = 4 * one.words;
        // Each sender has 8 KiB of its own in every memory, each transfer a part of it.
        const place = 8192 * (rank + 1) + 1536 * slot + 4 * one.offset;
        const stride = 16 * Math.ceil(size / 16);
        const block = copy(addressOf(rank, one.from, 4 * one.offset), addressOf(target, one.to, place), size);
        yield { op: 'stopped', channels: [one.channel] };
        yield {
          op: 'start',
          channel: one.channel,
          chain: [
            { ...block, count: one.count, srcStride: 16, dstStride: stride },
            notify(config, rank, target, slot),
          ],
        };
      }
      yield { op: 'wait', flags: flags.filter(({ target }) => target === rank) };
    };
  return givenOf(
    config,
    Array.from({ length: nodes }, (_, rank) => program(rank)),
  );
}

const courseOf = (given: TcaGiven, options: RunOptions = {}) => {
  const { run, raised, written, result } = trial(given, options);
  return { raised, bytes: [...written].sort(([a], [b]) => a - b), result, ticks: run.outcome.ticks };
};

test('under any schedule no property is hurt, and every byte is the same', () => {
  const law = fc.property(drawn, fc.nat(999), (one, seed) => {
    const first = courseOf(programsOf(one));
    expect(first.raised).toEqual([]);
    const schedules: Choices[] = [new RandomChoices(seed), new PctChoices(seed)];
    for (const choices of schedules) {
      const other = courseOf(programsOf(one), { choices });
      expect(other.raised).toEqual([]);
      // Who comes first in a tick may change times, never data.
      expect(other.bytes).toEqual(first.bytes);
    }
  });

  fc.assert(law, parameters);
}, 60_000);

test('one channel of one node takes the same time under any schedule', () => {
  const law = fc.property(drawn, fc.nat(999), (one, seed) => {
    const alone = {
      ...one,
      transfers: one.transfers.map((list, rank) =>
        rank === 0 ? list.map((two) => ({ ...two, channel: 0 })) : [],
      ),
    };
    const first = courseOf(programsOf(alone));

    expect(courseOf(programsOf(alone), { choices: new RandomChoices(seed) })).toEqual(first);
  });

  fc.assert(law, parameters);
}, 60_000);

test('the engines agree on bytes and times', () => {
  const law = fc.property(drawn, (one) => {
    const [first, ...others] = [
      { engine: 'compiled', state: 'mutable' } as const,
      { engine: 'compiled', state: 'immutable' } as const,
      { engine: 'xstate' } as const,
    ].map((options) => courseOf(programsOf(one), options));

    for (const other of others) expect(other).toEqual(first);
  });

  fc.assert(law, { ...parameters, numRuns: effort({ short: 1, long: 6 }) });
}, 60_000);

test.each(Object.entries(workloads))(
  '%s goes on from snapshots as if it had never stopped',
  (_, workload) => {
    const { wiring } = tcaMachine.assemble(workload());
    const whole = new Run(wiring);
    const { ticks } = new Run(wiring).toEnd();
    // Each place where a run is left costs the rest of the run once more, most where XState carries it out.
    const step = (places: number): number => Math.max(61, Math.ceil(ticks / places));
    const others: { options: RunOptions; step: number }[] = [
      { options: { state: 'immutable' }, step: step(effort({ short: 1, long: 30 })) },
      { options: { engine: 'xstate' }, step: step(effort({ short: 1, long: 8 })) },
    ];
    // The longest runs go through the other engines in the long tests.
    const isLong = ticks > effort({ short: 150_000, long: Number.POSITIVE_INFINITY });
    const kinds = [{ options: {}, step: step(effort({ short: 2, long: 60 })) }, ...(isLong ? [] : others)];
    /** In the middle of each part of the run: with little done, much is done again. */
    const isLeft = (tick: number, step: number) => tick % step === step >> 1;
    const left = (tick: number) => kinds.some(({ step }) => isLeft(tick, step));
    const prints: (string | undefined)[] = [];
    while (whole.tick()) prints.push(left(prints.length - 1) ? whole.fingerprint : undefined);
    const last = whole.fingerprint;

    for (const { options, step } of kinds) {
      const run = new Run(wiring, options);
      for (let tick = 0; run.tick(); tick++) {
        if (!isLeft(tick, step) || tick + 1 === prints.length) continue;
        const again = Run.restore(wiring, run.snapshot(), options);
        again.tick();
        expect(again.fingerprint).toBe(prints[tick + 1]);
        again.toEnd();
        expect(again.fingerprint).toBe(last);
      }
    }

    expect(prints.length).toBeGreaterThan(100);
  },
  60_000,
);
