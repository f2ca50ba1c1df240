import { expect, test } from 'vitest';
import { drive } from '../../../kernel/drive.ts';
import { traceCompiled, traceInterpreted } from '../../../kernel/equivalence.ts';
import type { Address, LockstepEvent } from '../../../kernel/message.ts';
import { type EibSpec, publishedEib } from './eib-spec.ts';
import { mfc } from './mfc.ts';
import { type EibCommand, getFrom, type ListElement, putListTo, putTo } from './operations.ts';

const self = 1 as Address;
const unit = 3 as Address;
const inputOf = (changes: Partial<EibSpec> = {}) => ({
  spec: { ...publishedEib, ...changes },
  element: 1,
  bus: 2 as Address,
});

/** An event and the cycle in which it comes. */
type Timed = readonly [t: number, event: LockstepEvent];

const give = (number: number, command: EibCommand, t: number, issuer = 1): Timed => [
  t,
  { type: 'mfc.command', issuer, number, command, issued: t - 5 } as LockstepEvent,
];
const ready = (t: number): Timed => [t, { type: 'mfc.ready' } as LockstepEvent];
const done = (command: number, t: number, issuer = 1): Timed => [
  t,
  { type: 'packet.done', issuer, command } as LockstepEvent,
];
const wait = (tags: readonly number[], t: number): Timed => [t, { type: 'mfc.await', tags } as LockstepEvent];

interface Posted {
  readonly number: number;
  readonly packet: {
    readonly command: number;
    readonly part: number;
    readonly sourceAddress: number;
    readonly targetAddress: number;
    readonly size: number;
  };
}

/** What each event makes the MFC post, in short. */
function postsOf(events: readonly Timed[], changes: Partial<EibSpec> = {}): string[] {
  const driven = drive(mfc, inputOf(changes), self);
  return events.map(([t, event]) =>
    driven
      .take(event, t, unit)
      .map((post) => {
        const { type, due } = post;
        const { number, packet } = post as unknown as Posted;
        if (type === 'command.request')
          return `${packet.sourceAddress}>${packet.targetAddress} ${packet.size}`;
        return type === 'mfc.accepted' ? `accepted ${number}` : `${type} ${due}`;
      })
      .join(', '),
  );
}

const put = (address: number, size: number, tag = 0) => putTo(0, 2, address, size, tag).command;

test('prepares a command for 15 cycles and cuts it at the 128-byte addresses of the other element', () => {
  expect(postsOf([give(0, put(80, 272), 5), ready(20), done(0, 90)])).toEqual([
    'accepted 0, mfc.ready 20',
    '0>80 48, 48>128 128, 176>256 96',
    '',
  ]);
});

test('cuts a get where its source crosses a line', () => {
  expect(postsOf([give(0, getFrom(32, 2, 112, 32).command, 5), ready(20)])[1]).toBe('112>32 16, 128>48 16');
});

test('prepares one command after the other and fetches every further piece of a list', () => {
  const pieces: ListElement[] = [
    { address: 0, size: 16 },
    { address: 256, size: 32 },
  ];

  expect(
    postsOf([
      give(0, putListTo(64, 2, pieces).command, 5),
      give(1, put(0, 128), 6),
      ready(25),
      ready(30),
      ready(45),
    ]),
  ).toEqual([
    'accepted 0, mfc.ready 25',
    'accepted 1',
    '64>0 16, mfc.ready 30',
    '80>256 32, mfc.ready 45',
    '0>0 128',
  ]);
});

test('lets the seventeenth unfinished command wait for a place, and the ninth of another element', () => {
  const own = Array.from({ length: 17 }, (_, number) => give(number, put(0, 16), 5));
  const proxied = Array.from({ length: 9 }, (_, number) => give(number, put(0, 16), 6, 7));

  const posts = postsOf([...own, ...proxied, ready(20), done(0, 90), ready(35)]);

  expect(posts[15]).toBe('accepted 15');
  expect(posts[16]).toBe('');
  expect(posts[24]).toBe('accepted 7');
  expect(posts[25]).toBe('');
  expect(posts[26]).toBe('0>0 16, mfc.ready 35');
  expect(posts[27]).toBe('accepted 16');
});

test('offers no more packets than it has credits, and the next ones as packets arrive', () => {
  expect(
    postsOf([give(0, put(0, 512), 5), ready(20), done(0, 90), done(0, 91)], { commandCredits: 2 }),
  ).toEqual(['accepted 0, mfc.ready 20', '0>0 128, 128>128 128', '256>256 128', '384>384 128']);
});

test('answers a wait for tag groups when the last command of them is complete, not before', () => {
  const events = [
    wait([1], 1),
    give(0, put(0, 256, 1), 5),
    give(1, put(0, 16, 2), 5),
    wait([1], 6),
    ready(20),
    done(0, 90),
    done(0, 98),
  ];

  expect(postsOf(events)).toEqual([
    'mfc.settled 1',
    'accepted 0, mfc.ready 20',
    'accepted 1',
    '',
    '0>0 128, 128>128 128, mfc.ready 35',
    '',
    'mfc.settled 98',
  ]);
});

test('is the same machine to XState and to the compiler', () => {
  const events = [
    give(0, put(80, 272), 5),
    wait([0], 6),
    ready(20),
    give(1, put(0, 16), 30),
    done(0, 90),
    ready(91),
    done(0, 92),
    done(0, 93),
    done(1, 99),
  ].map(([, event]) => event);

  expect(traceCompiled(mfc, inputOf(), events)).toEqual(traceInterpreted(mfc, inputOf(), events));
});
