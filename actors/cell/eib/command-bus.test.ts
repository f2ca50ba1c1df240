import { expect, test } from 'vitest';
import { traceCompiled, traceInterpreted } from '../../../kernel/equivalence.ts';
import type { Address, LockstepEvent } from '../../../kernel/message.ts';
import { eibCommandBus } from './command-bus.ts';
import { publishedEib } from './eib-spec.ts';

const self = 1 as Address;
const arbiter = 2 as Address;
const inputOf = () => ({ spec: publishedEib, self, arbiter });

const request = (initiator: number, part: number, t: number): LockstepEvent =>
  ({
    type: 'command.request',
    t,
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
  }) as LockstepEvent;
const turn = (t: number): LockstepEvent => ({ type: 'command.turn', t }) as LockstepEvent;

/** What each event makes the bus post: `turn t` to itself, `initiator.part t` to the arbiter. */
function postsOf(events: readonly LockstepEvent[]): string[] {
  return traceCompiled(eibCommandBus, inputOf(), events)
    .steps.slice(1)
    .map(({ out }) =>
      (out as [string, { type: string; t: number; packet: { initiator: number; part: number } }][])
        .filter(([kind]) => kind === 'post')
        .map(([, post]) =>
          post.type === 'command.turn'
            ? `turn ${post.t}`
            : `${post.packet.initiator}.${post.packet.part} ${post.t}`,
        )
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
  ];

  expect(traceCompiled(eibCommandBus, inputOf(), events)).toEqual(
    traceInterpreted(eibCommandBus, inputOf(), events),
  );
});
