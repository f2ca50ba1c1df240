import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { type Choices, RecordingChoices, TapeChoices } from '../choices.ts';
import { component } from '../kit.ts';
import { type Address, Message } from '../message.ts';
import { Run } from '../run.ts';
import { Wiring } from '../wiring.ts';
import { DelayBoundedChoices } from './delay-bounded.ts';
import { EnumerationChoices } from './enumeration.ts';
import { PctChoices } from './pct.ts';
import { PosChoices } from './pos.ts';
import { RoundRobinChoices } from './round-robin.ts';

const kinds: readonly (readonly [string, (seed: number) => Choices])[] = [
  ['PCT', (seed) => new PctChoices(seed, { depth: 4, length: 12 })],
  ['PCT of any length', (seed) => new PctChoices(seed)],
  ['POS', (seed) => new PosChoices(seed)],
  ['delay-bounded', (seed) => new DelayBoundedChoices(seed, { delays: 3, length: 12 })],
  ['round robin', (seed) => new RoundRobinChoices(seed)],
];

interface Mark {
  readonly type: 'mark';
  readonly of: string;
}

const { update } = component<{ seen: string[] }, Mark>();

/** Keeps the order in which marks reach it. */
const log = setup({
  types: {} as { context: { seen: string[] }; events: Mark },
  actions: {
    note: update<'mark'>((context, { of }) => {
      context.seen.push(of);
    }),
  },
}).createMachine({ id: 'log', context: () => ({ seen: [] }), on: { mark: { actions: 'note' } } });

interface Go {
  readonly type: 'go';
}
interface Sender {
  readonly to: Address;
  readonly name: string;
  readonly count: number;
}
const sends = component<Sender, Go>();

/** Sends its marks at once. */
const sender = setup({
  types: {} as { context: Sender; events: Go; input: Sender },
  actions: {
    send: sends.post(({ to, name, count }) =>
      Array.from({ length: count }, (_, at) => ({ to, type: 'mark', of: `${name}${at}` })),
    ),
  },
}).createMachine({ id: 'sender', context: ({ input }) => ({ ...input }), on: { go: { actions: 'send' } } });

/** Several senders, of so many marks each, and one log: the order in which the marks arrive under these choices. */
function orderUnder(choices: Choices, counts: readonly number[]): string {
  const wiring = new Wiring();
  const to = wiring.place('Log', log, {});
  counts.forEach((count, at) => {
    const self = wiring.place(`Sender[${at}]`, sender, { to, name: 'abc'[at]!, count });
    wiring.boot.push({ to: self, type: 'go' });
  });
  const run = new Run(wiring, { choices });
  run.toEnd();
  return (run.part('Log').context['seen'] as string[]).join(' ');
}

describe.each(kinds)('%s', (_, make) => {
  test('picks what is there, the same for the same seed, whatever is asked', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(
          fc.record({ count: fc.integer({ min: 2, max: 5 }), delivers: fc.boolean(), from: fc.nat(3) }),
        ),
        (seed, decisions) => {
          const [one, other] = [make(seed), make(seed)];
          decisions.forEach(({ count, delivers, from }, at) => {
            const heads = delivers
              ? Array.from(
                  { length: count },
                  (_x, k) =>
                    new Message(at * 8 + k, 0, ((from + k) % 4) as Address, (k % 3) as Address, -1, {
                      type: 'm',
                    }),
                )
              : undefined;
            const pick = one.pick('deliver', count, heads);

            expect(pick).toBe(other.pick('deliver', count, heads));
            expect(Number.isInteger(pick) && pick >= 0 && pick < count).toBe(true);
          });
        },
      ),
    );
  });

  test('continues after a snapshot as if it had never stopped', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(6), (seed, cut) => {
        const wiringOf = () => {
          const wiring = new Wiring();
          const to = wiring.place('Log', log, {});
          for (const name of ['a', 'b', 'c']) {
            const self = wiring.place(name, sender, { to, name, count: 2 });
            for (let tick = 0; tick < 4; tick++) wiring.boot.push({ to: self, type: 'go', delay: tick });
          }
          return wiring;
        };
        const whole = new Run(wiringOf(), { choices: make(seed) });
        whole.toEnd();
        const first = new Run(wiringOf(), { choices: make(seed) });
        first.until(Math.min(cut, 2));
        const second = Run.restore(wiringOf(), first.snapshot(), { choices: make(seed + 1) });
        second.toEnd();

        expect(second.part('Log').context).toEqual(whole.part('Log').context);
      }),
    );
  });

  test('gives runs that their tapes repeat', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const recording = new RecordingChoices(make(seed));
        const order = orderUnder(recording, [2, 2, 2]);

        expect(orderUnder(new TapeChoices(recording.tape), [2, 2, 2])).toBe(order);
      }),
    );
  });

  test('refuses what another kind saved', () => {
    expect(() => make(1).load(null)).toThrow('KRN010');
  });
});

/** In how many of the first `runs` seeds something holds. */
const hits = (runs: number, holds: (seed: number) => boolean): number =>
  Array.from({ length: runs }, (_, seed) => seed).filter(holds).length;

describe('PCT', () => {
  test.each([
    // Six channels, eight deliveries to choose. Depth 1: c before all others. Depth 2: a begins, c comes between, a goes on.
    [1, /^c/, 1 / 6],
    [2, /^a0 .*c0.*a1/, 1 / (6 * 8)],
  ])('finds an order of depth %i at least as often as it promises', (depth, order, promised) => {
    const found = hits(2000, (seed) =>
      order.test(orderUnder(new PctChoices(seed, { depth, length: 8 }), [2, 2, 2])),
    );

    expect(found / 2000).toBeGreaterThanOrEqual(promised);
  });

  test('of depth 1 never goes back to a channel it left', () => {
    const orders = new Set(
      Array.from({ length: 200 }, (_, seed) => orderUnder(new PctChoices(seed, { depth: 1 }), [2, 2, 2])),
    );

    expect(
      [...orders].every((order) => order.replaceAll(/\d| /g, '').replace(/(.)\1/g, '$1').length === 3),
    ).toBe(true);
    expect(orders.size).toBe(6);
  });
});

test('POS gives each order of two racing messages, also that of one late message against many', () => {
  const orders = new Map<string, number>();
  for (let seed = 0; seed < 1200; seed++) {
    const order = orderUnder(new PosChoices(seed), [1, 1, 1]);
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  const lastOfMany = hits(400, (seed) => orderUnder(new PosChoices(seed), [4, 1]).endsWith('b0'));

  expect(orders.size).toBe(6);
  expect(Math.min(...orders.values())).toBeGreaterThan(100);
  expect(lastOfMany).toBeGreaterThan(10);
});

test('delay-bounded choices without a delay are first come, first served', () => {
  const counts = [2, 2, 2];

  expect(orderUnder(new DelayBoundedChoices(7, { delays: 0 }), counts)).toBe(
    orderUnder(new TapeChoices([]), counts),
  );
  const orders = new Set(
    Array.from({ length: 300 }, (_, seed) =>
      orderUnder(new DelayBoundedChoices(seed, { delays: 1, length: 6 }), counts),
    ),
  );
  // One delay at one of few deliveries: few orders, and more than the default one.
  expect(orders.size).toBeGreaterThan(2);
  expect(orders.size).toBeLessThanOrEqual(7);
});

test('round robin serves every receiver before any is served twice', () => {
  const choices = new RoundRobinChoices(5);
  const heads = (...receivers: number[]) =>
    receivers.map((to, at) => new Message(at, 0, at as Address, to as Address, -1, { type: 'm' }));
  const all = [1, 2, 3, 4];
  const served = Array.from({ length: 8 }, () => all[choices.pick('deliver', 4, heads(...all))]!);

  expect([...served.slice(0, 4)].sort()).toEqual(all);
  expect(served.slice(4)).toEqual(served.slice(0, 4));
});

test('enumeration visits every tape once, in lexicographic order', () => {
  const all = new EnumerationChoices();
  const tapes: string[] = [];
  const orders: string[] = [];
  do {
    orders.push(orderUnder(all, [2, 1]));
    tapes.push(all.tape.join());
  } while (all.advance());

  expect(tapes).toEqual([...new Set(tapes)].sort());
  expect(new Set(orders)).toEqual(new Set(['a0 a1 b0', 'a0 b0 a1', 'b0 a0 a1']));
  expect(tapes[0]).toMatch(/^0(,0)*$/);
});
