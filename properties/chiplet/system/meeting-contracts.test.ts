import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cycleBarrier } from '../../../actors/chiplet/system/cycle-barrier.ts';
import { gate } from '../../../actors/chiplet/system/gate.ts';
import { type ContractSubject, contractOf } from '../../../kernel/contract.ts';
import type { Address } from '../../../kernel/message.ts';

const at = (address: number) => address as Address;
const typed = <T extends string>(type: T) => fc.constant(type);
const cycle = fc.nat(40);
const src = fc.constant([0, 0] as const);
const dst = fc.constant([0, 1] as const);

/** Ticks far above all cycles, so that no message of a wrong order is due before it is posted. */

const subjects: readonly (readonly [string, ContractSubject])[] = [
  [
    'cycle barrier',
    {
      machine: cycleBarrier,
      input: () => ({
        chiplets: [0, 1, 2].map((index) => ({ address: at(index), place: { x: 0, y: index } })),
        cycle: 10,
        intervals: [5, 7],
      }),
      events: fc.oneof(
        {
          weight: 12,
          arbitrary: fc.record({
            type: typed('sync.arrive'),
            chiplet: fc.nat(2),
            generation: fc.nat(1),
            cycle,
            tick: cycle,
          }),
        },
        fc.record({ type: typed('sync.finish'), chiplet: fc.nat(2), cycle }),
      ),
    },
  ],
  [
    'gate',
    {
      machine: gate,
      input: () => ({
        barrier: at(1),
        chiplet: 0,
        mailbox: at(2),
        carrier: at(3),
        cycleTicks: 2,
        firstMeeting: 9,
      }),
      events: fc.oneof(
        fc.record({ at: fc.integer({ min: 9, max: 40 }) }).map((one) => ({
          type: 'gate.hold',
          letter: { to: at(4), type: 'host.turn', cycle: one.at + 1 },
          ...one,
        })),
        fc.record({ type: typed('gate.meet'), generation: fc.nat(1) }),
        fc.record({ type: typed('sync.call'), generation: fc.nat(1) }),
        // Letters that are held here are due in ticks up to 80 + 2 * lost.
        fc.record({
          type: typed('sync.release'),
          generation: fc.nat(1),
          cycle: fc.integer({ min: 10, max: 20 }),
          tick: fc.integer({ min: 18, max: 18 }),
        }),
        fc.record({
          type: fc.constantFrom('message.send', 'message.arrived'),
          src,
          dst,
          value: fc.nat(9),
          cycle: fc.integer({ min: 10, max: 40 }),
        }),
        fc.record({ type: typed('message.wanted'), src, dst, cycle: fc.integer({ min: 1, max: 40 }) }),
        fc.record({ type: typed('message.sent'), cycle: fc.integer({ min: 10, max: 40 }) }),
        fc.record({ type: typed('host.ended'), cycle: fc.integer({ min: 1, max: 9 }) }),
      ),
    },
  ],
];

describe.each(subjects)('%s', (name, subject) => {
  for (const { sentence, failures } of contractOf(name, subject))
    test(sentence, () => expect(failures()).toEqual([]));
});
