import { expect, test } from 'vitest';
import { type Alternative, failed, type Known, knownFrom, still } from './alternative.ts';
import { EitherOrder } from './either-order.ts';
import type { Slots } from './slots.ts';
import { TransitionRecords } from './transition-records.ts';

/** What comes of messages 1 and 2 in local states 10 (at first), 11 (behind 1), 12 (behind 2); both lead to 13. */
type Steps = Readonly<Record<string, Partial<Alternative> | readonly Partial<Alternative>[] | undefined>>;

const alike: Steps = {
  '10 1 5': { next: 11 },
  '10 2 5': { next: 12 },
  '11 2 5': { next: 13 },
  '12 1 5': { next: 13 },
};

const known = (steps: Partial<Alternative> | readonly Partial<Alternative>[]): Known =>
  knownFrom(
    [steps].flat().map((one) => ({ ...still, ...one })),
    0,
  );

/** A handling that leads to a local state and shows something, at which observers look. */
const shows = (next: number, type: string, n = 0) => ({ next, probes: [{ type, n }], footprint: [0] });

/** Channels of messages 100, 101 and 102, of which those in `inside` stay in the actor. */
function isAlike(change: Steps, inside?: readonly number[]): boolean {
  const channel: number[] = [];
  [channel[100], channel[101], channel[102]] = [1, 2, 3];
  const within: boolean[] = [];
  for (const message of inside ?? []) within[message] = true;
  const slots = { channel, within, inner: inside && {} } as unknown as Slots;
  const steps = { ...alike, ...change };
  const records = new TransitionRecords();
  const order = new EitherOrder(
    slots,
    records,
    (local, message, version) => {
      const found = steps[`${local} ${message} ${version}`];
      return found ? records.add(known(found), local) : 0;
    },
    (type) => type === 'watched',
  );
  return order.isAlike(10, 1, 2, 5);
}

test('two messages are alike that lead to the same in either order', () => {
  expect(isAlike({})).toBe(true);
});

test.each([
  ['the first is not known', { '10 1 5': undefined }],
  ['the second is not known', { '10 2 5': undefined }],
  ['what comes of the second behind the first is not known', { '11 2 5': undefined }],
  ['what comes of the first behind the second is not known', { '12 1 5': undefined }],
  ['there are two ways', { '10 1 5': [{ next: 11 }, { next: 11 }] }],
  ['the ends differ', { '12 1 5': { next: 14 } }],
  ['a handling fails', { '11 2 5': { next: failed }, '12 1 5': { next: failed } }],
  ['something is reported', { '12 1 5': { next: 13, reports: [{ property: 'p', why: 'w' }] } }],
  ['a timer is set', { '10 2 5': { next: 12, timers: [3, 100] } }],
  ['one posts more', { '12 1 5': { next: 13, posts: [1, 100] } }],
  ['others are posted', { '10 1 5': { next: 11, posts: [1, 100] }, '10 2 5': { next: 12, posts: [1, 101] } }],
  ['the first shows something only in front', { '10 1 5': shows(11, 'watched') }],
  [
    'the second shows something else behind',
    { '10 2 5': shows(12, 'watched', 1), '11 2 5': shows(13, 'watched', 2) },
  ],
  ['posts come later', { '11 2 5': { next: 13, posts: [1, 100] }, '12 1 5': { next: 13, posts: [2, 100] } }],
] as const)('they are not where %s', (_, change) => {
  expect(isAlike(change as unknown as Steps)).toBe(false);
});

test('what nobody looks at may be shown in one order only, and the same in both', () => {
  expect(isAlike({ '10 1 5': shows(11, 'other') })).toBe(true);
  expect(isAlike({ '10 1 5': shows(11, 'watched', 1), '12 1 5': shows(13, 'watched', 1) })).toBe(true);
});

test('posts are the same whoever made them, by delay, then channel', () => {
  const steps = {
    '10 1 5': { next: 11, posts: [1, 102, 2, 100] },
    '11 2 5': { next: 13, posts: [1, 101] },
    '10 2 5': { next: 12, posts: [1, 101] },
    '12 1 5': { next: 13, posts: [1, 102, 2, 100] },
  };

  expect(isAlike(steps)).toBe(true);
  // In one channel the order is that of posting.
  const inOneChannel = {
    ...steps,
    '10 2 5': { next: 12, posts: [1, 102] },
    '11 2 5': { next: 13, posts: [1, 102] },
  };
  expect(isAlike(inOneChannel)).toBe(true);
});

test('what is shared may be changed by either, if it comes to the same', () => {
  const changes = (last: number): Steps => ({
    '10 1 5': { next: 11, version: 6 },
    '11 2 6': { next: 13, version: 8 },
    '10 2 5': { next: 12, version: 7 },
    '12 1 7': { next: 13, version: last },
  });

  expect(isAlike(changes(8))).toBe(true);
  expect(isAlike(changes(9))).toBe(false);
  // Who changes nothing leaves what was there.
  expect(isAlike({ ...changes(8), '11 2 6': { next: 13 } })).toBe(false);
});

test('what a message says inside of the actor may depend on the order', () => {
  const steps = { '10 1 5': { next: 11, posts: [1, 100] }, '12 1 5': { next: 13, posts: [1, 100] } };

  expect(isAlike(steps)).toBe(true);
  expect(isAlike(steps, [101])).toBe(true);
  expect(isAlike(steps, [100])).toBe(false);
});
