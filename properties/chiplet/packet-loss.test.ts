import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RouterContext } from '../../actors/chiplet/network/fast/router.ts';
import type { NetworkShown } from '../../actors/chiplet/network/protocol.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { networkMisfits } from '../../machines/chiplet/plan.ts';
import { type ChipletGiven, givenOf, trial } from './trial.ts';

/** Long packets from everywhere to one corner of a mesh, where buffers are small. */
const crush = (side: number, flits: number) => ({
  packets: Array.from({ length: 3 * side * side }, (_, at) => {
    const source = at % (side * side);
    return [Math.floor(at / 4), Math.floor(source / side), source % side, 0, 0, flits];
  }),
});

/** Routers after a run, and the flits that were dropped in it. */
function lostIn({ config, ...rest }: ChipletGiven, options: RunOptions = {}) {
  const given = { ...rest, config: { network: { ...config.network, detail: 'router' as const } } };
  const { wiring, wired, result } = networkMachine.assemble(given);
  const run = new Run(wiring, options);
  const dropped: NetworkShown<'flit.dropped'>[] = [];
  run.probes$.subscribe(({ probe }) => {
    if (probe.type === 'flit.dropped') dropped.push(probe as NetworkShown<'flit.dropped'>);
  });
  run.toEnd();
  const states = wired.routers.map(
    (address) => (run.part(address).context as unknown as RouterContext).state,
  );
  return {
    result: result(run),
    dropped,
    states,
    accepted: states.reduce((sum, { counters }) => sum + counters.flitsAccepted, 0),
  };
}

describe('a network that loses packets (chiplet specification 5.7, -l)', () => {
  test('every packet is finished or lost, every flit accepted or dropped, and nothing holds a channel', () => {
    const network = fc.record({
      A: fc.integer({ min: 2, max: 4 }),
      V: fc.integer({ min: 1, max: 3 }),
      B: fc.integer({ min: 1, max: 4 }),
      O: fc.constantFrom(1, 4),
      F: fc.constant(1),
      seed: fc.integer({ min: 1, max: 99 }),
    });
    let lost = 0;
    fc.assert(
      fc.property(network, fc.integer({ min: 1, max: 9 }), (config, flits) => {
        const given = givenOf({ ...config, loss: true }, crush(config.A, flits));
        const { result, states, accepted } = lostIn(given);
        lost += result.lostPackets!;

        expect(result.finished + result.lostPackets!).toBe(result.injectedPackets);
        expect(accepted + result.droppedFlits!).toBe(result.injectedFlits);
        for (const { used, flits: left, states: doing } of states) {
          expect([...used, left]).toEqual([...used, left].fill(0));
          expect(Math.max(...doing)).toBe(0);
        }
        expect(trial(given).raised).toEqual([]);
      }),
      { numRuns: effort({ short: 8, long: 40 }), seed: 27 },
    );
    expect(lost).toBeGreaterThan(100);
  });

  test('the first flit of a packet that is lost met a full buffer, and from the next cycle on all that arrive are dropped', () => {
    const { dropped } = lostIn(givenOf({ A: 4, V: 3, B: 3, F: 1, loss: true }, crush(4, 12)));
    const first = new Map<number, number>();
    for (const { packet, cycle, isFull } of dropped) {
      if (!isFull) expect(first.get(packet)).toBeLessThan(cycle);
      if (!first.has(packet)) first.set(packet, cycle);
    }

    expect(dropped.some(({ isFull }) => isFull)).toBe(true);
    expect(dropped.some(({ isFull }) => !isFull)).toBe(true);
  });

  test('where no buffer is ever full, it is the network without loss', () => {
    const traffic = { pattern: 'uniform', rate: 0.01, cycles: 300, packets: 30, flits: 3 };
    const { lostPackets, droppedFlits, ...same } = trial(givenOf({ B: 64, loss: true }, traffic)).result;

    expect([lostPackets, droppedFlits]).toEqual([0, 0]);
    expect(same).toEqual(trial(givenOf({ B: 64 }, traffic)).result);
  });

  test('any order of deliveries loses the same flits', () => {
    for (const random of ['shared', 'perRouter']) {
      const given = givenOf({ A: 4, V: 3, B: 3, F: 1, random, loss: true }, crush(4, 12));
      const { result } = lostIn(given);

      expect(result.lostPackets).toBeGreaterThan(0);
      for (const seed of [1, 2, 3, 4])
        expect(lostIn(given, { choices: new RandomChoices(seed) }).result).toEqual(result);
    }
  });

  test('flits that come to one port in one cycle are written in their order, however its channels are scheduled', () => {
    const network = {
      ...{ A: 2, c: 1, R: 5, V: 7, B: 1200, O: 2, F: 1, random: 'perRouter', loss: true, T: 20000 },
      graphText:
        'graph {\nnode[pipeline_stage_delay=1]\n0 [pipeline_stage_delay=2];\nedge[weight="2"]\n0--1\n}',
      // The way becomes shorter while flits are on it.
      reconfigurationText: '1 25 2 0 1\n0',
    };
    const packets = [
      [0, 0, 0, 1],
      [0, 1, 0, 2],
      [0, 0, 0, 2],
      [0, 1, 0, 2],
    ];
    const given = givenOf(network, { packets });
    const { result } = lostIn(given);

    for (let seed = 1; seed < 30; seed++)
      expect(lostIn(given, { choices: new RandomChoices(seed) }).result).toEqual(result);
  });

  test.each([
    ['XState itself', { engine: 'xstate' }],
    ['a run with persistent contexts', { state: 'immutable' }],
  ] as const)('%s loses the same flits', (_, options) => {
    const given = givenOf({ A: 3, V: 2, B: 2, loss: true }, crush(3, 4));
    const { result } = lostIn(given);

    expect(result.lostPackets).toBeGreaterThan(0);
    expect(lostIn(given, options).result).toEqual(result);
  });

  test('a run goes on from a snapshot with the packets that are lost', () => {
    const given = givenOf({ A: 3, V: 1, B: 2, loss: true }, crush(3, 5));
    const { wiring, result } = networkMachine.assemble(given);
    const run = new Run(wiring);
    run.until(60);
    const again = Run.restore(networkMachine.assemble(given).wiring, run.snapshot());
    run.toEnd();
    again.toEnd();

    expect(again.fingerprint).toBe(run.fingerprint);
    expect(result(again)).toEqual(result(run));
  });

  test('the orders of a heap are refused with it', () => {
    const { network } = givenOf({ loss: true, ties: 'heap' }, { packets: [] }).config;

    expect(networkMisfits(network)).toMatchObject([
      { key: 'ties', expected: expect.stringContaining('fifo') },
    ]);
  });
});
