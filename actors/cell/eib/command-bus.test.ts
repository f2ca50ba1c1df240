import { expect, test } from 'vitest';
import { drive } from '../../../kernel/drive.ts';
import { traceCompiled, traceInterpreted } from '../../../kernel/equivalence.ts';
import type { Address, LockstepEvent } from '../../../kernel/message.ts';
import { eibCommandBus } from './command-bus.ts';
import { publishedEib } from './eib-spec.ts';

const self = 1 as Address;
const arbiter = 2 as Address;
const inputOf = () => ({ spec: publishedEib, arbiter });

/** An event and the cycle in which it comes. */
type Timed = readonly [t: number, event: LockstepEvent];

const request = (initiator: number, part: number, t: number): Timed => [
  t,
  {
    type: 'command.request',
    packet: {
      initiator,
      issuer: initiator,
      command: 0,
      part,
      source: initiator,
      target: 5,
      sourceAddress: 0,
      targetAddress: 0,
      size: 128,
    },
  } as LockstepEvent,
];
const turn = (t: number): Timed => [t, { type: 'command.turn' } as LockstepEvent];

/** What each event makes the bus post: `turn t` to itself, `initiator.part t` to the arbiter. */
function postsOf(events: readonly Timed[]): string[] {
  const bus = drive(eibCommandBus, inputOf(), self);
  return events.map(([t, event]) =>
    bus
      .take(event, t)
      .map((post) => {
        if (post.type === 'command.turn') return `turn ${post.due}`;
        const { initiator, part } = (post as unknown as { packet: { initiator: number; part: number } })
          .packet;
        return `${initiator}.${part} ${post.due}`;
      })
      .join(', '),
  );
}

test('takes one command a cycle, round robin, the memory first, and lets the arbiter know 48 cycles later', () => {
  const events = [
    request(3, 0, 10),
    request(3, 1, 10),
    request(1, 0, 10),
    request(11, 0, 10),
    turn(11),
    turn(12),
    turn(13),
    turn(14),
  ];

  expect(postsOf(events)).toEqual([
    'turn 11',
    '',
    '',
    '',
    '11.0 59, turn 12',
    '1.0 60, turn 13',
    '3.0 61, turn 14',
    '3.1 62',
  ]);
});

test('takes a command of its own cycle in the next one, whichever came first', () => {
  expect(postsOf([request(3, 0, 10), request(1, 0, 11), turn(11), turn(12)])).toEqual([
    'turn 11',
    '',
    '3.0 59, turn 12',
    '1.0 60',
  ]);
  expect(postsOf([request(3, 0, 10), turn(11), request(1, 0, 11), turn(12)])).toEqual([
    'turn 11',
    '3.0 59',
    'turn 12',
    '1.0 60',
  ]);
});

test('is the same machine to XState and to the compiler', () => {
  const events = [
    request(3, 0, 10),
    request(1, 0, 10),
    turn(11),
    request(2, 0, 11),
    turn(12),
    turn(13),
    turn(14),
  ].map(([, event]) => event);

  expect(traceCompiled(eibCommandBus, inputOf(), events)).toEqual(
    traceInterpreted(eibCommandBus, inputOf(), events),
  );
});
