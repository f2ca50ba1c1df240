import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Agenda, Calendar } from './calendar.ts';
import { type Address, Message } from './message.ts';
import { effort } from './testing/effort.ts';

const message = (seq: number, due: number, from = 0, to = 0) =>
  new Message(seq, due, from as Address, to as Address, -1, { type: 'test' });
const seqs = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

/** Adds a message some ticks ahead, or lets the calendar go to its next tick. */
const deeds = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.oneof(fc.nat(3), fc.nat(60), fc.constant(100_000)) },
    { weight: 2, arbitrary: fc.constant('advance' as const) },
  ),
  { maxLength: 120, size: 'max' },
);

describe('the calendar', () => {
  test('is a list sorted by tick, then by posting', () => {
    fc.assert(
      fc.property(deeds, (list) => {
        const calendar = new Calendar();
        let plain: Message[] = [];
        for (const [seq, deed] of list.entries()) {
          if (deed === 'advance') {
            // A tick is over when its messages are delivered.
            while (calendar.current.size > 0) {
              const next = calendar.current.next();
              expect(next).toBe(plain.shift());
            }
            const tick = calendar.upcoming;
            expect(tick).toBe(plain[0]?.due);
            if (tick !== undefined) calendar.advance(tick);
          } else {
            const made = message(seq, calendar.now + deed);
            calendar.add(made);
            plain = [...plain, made].sort((a, b) => a.due - b.due || a.seq - b.seq);
          }
          expect(seqs(calendar.messages)).toEqual(seqs(plain));
          expect(calendar.current.size).toBe(plain.filter(({ due }) => due === calendar.now).length);
        }
      }),
      { numRuns: effort({ short: 120, long: 300 }), seed: 7 },
    );
  });

  test('jumps over ticks that have no message', () => {
    const calendar = new Calendar();
    for (const due of [1_000_000, 7, 2 ** 52]) calendar.add(message(0, due));
    const ticks: number[] = [];

    for (let tick = calendar.upcoming; tick !== undefined; tick = calendar.upcoming) {
      calendar.advance(tick);
      ticks.push(calendar.now);
      calendar.current.next();
    }

    expect(ticks).toEqual([7, 1_000_000, 2 ** 52]);
  });

  test('forgets everything when it is cleared, and stands where it is told', () => {
    const calendar = new Calendar();
    for (const due of [0, 1, 9]) calendar.add(message(0, due));

    calendar.clear(8);

    expect(calendar.messages).toEqual([]);
    expect(calendar.upcoming).toBeUndefined();
    calendar.add(message(1, 8));
    calendar.add(message(2, 9));
    calendar.add(message(3, 10));
    expect(calendar.current.size).toBe(1);
    expect(calendar.upcoming).toBe(9);
    expect(seqs(calendar.messages)).toEqual([1, 2, 3]);
  });
});

const posts = fc.array(
  fc.oneof(fc.record({ from: fc.nat(2), to: fc.nat(2) }), fc.record({ take: fc.nat(8) })),
  { maxLength: 80, size: 'max' },
);

describe('the agenda of a tick', () => {
  test('offers the oldest message of each channel, oldest first, and keeps each channel in order whatever is taken', () => {
    fc.assert(
      fc.property(posts, (list) => {
        const agenda = new Agenda();
        let left: Message[] = [];
        for (const [seq, one] of list.entries()) {
          if ('take' in one) {
            if (left.length === 0) continue;
            const expected = left.filter(
              (head, at) => left.findIndex(({ from, to }) => from === head.from && to === head.to) === at,
            );
            const heads = [...agenda.heads()];
            expect(seqs(heads)).toEqual(seqs(expected));
            const taken = heads[one.take % heads.length]!;
            // The oldest of all may also be taken in the fast way.
            if (taken === left[0] && one.take % 2 === 0) expect(agenda.next()).toBe(taken);
            else agenda.take(heads.indexOf(taken));
            left = left.filter((other) => other !== taken);
          } else {
            const made = message(seq, 0, one.from, one.to);
            agenda.add(made);
            left.push(made);
          }
          expect(agenda.size).toBe(left.length);
          expect(seqs(agenda.messages)).toEqual(seqs(left));
        }
      }),
      { numRuns: effort({ short: 120, long: 300 }), seed: 7 },
    );
  });

  test('hands out far more messages than it keeps room for, in order', () => {
    const agenda = new Agenda();
    const order: number[] = [];
    for (let seq = 0; seq < 3; seq++) agenda.add(message(seq, 0));

    for (let seq = 3; seq < 20_000; seq++) {
      agenda.add(message(seq, 0));
      order.push(agenda.next().seq);
    }

    expect(order).toEqual(order.map((_, index) => index));
    expect(seqs(agenda.messages)).toEqual([19_997, 19_998, 19_999]);
  });

  test('takes the oldest message of the first channel out of a long queue that was half read', () => {
    const agenda = new Agenda();
    for (let seq = 0; seq < 5000; seq++) agenda.add(message(seq, 0, seq % 2));
    for (let i = 0; i < 4500; i++) agenda.next();

    agenda.heads();
    agenda.take(1);

    expect(seqs(agenda.messages).slice(0, 3)).toEqual([4500, 4502, 4503]);
    expect(agenda.size).toBe(499);
  });
});
