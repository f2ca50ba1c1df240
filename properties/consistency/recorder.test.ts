import { from, lastValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { type Address, Message } from '../../kernel/message.ts';
import type { Delivery } from '../../kernel/run.ts';
import { type Answered, type Begun, recordHistory, type Traffic } from './recorder.ts';

type Told = ({ type: 'request' } & Begun) | ({ type: 'answer' } & Answered) | { type: 'noise' };

const traffic: Traffic = {
  request: ({ message: { event } }) => {
    const { type, ...told } = event as Told;
    return type === 'request' ? (told as Begun) : undefined;
  },
  answer: ({ message: { event } }) => {
    const { type, ...told } = event as Told;
    return type === 'answer' ? (told as Answered) : undefined;
  },
};

/** Deliveries, one every second tick. */
const deliveries = (told: readonly Told[]): Delivery[] =>
  told.map((event, index) => ({
    message: new Message(index, 2 * index, 0 as Address, 1 as Address, -1, event),
    from: 'A',
    to: 'B',
    index,
  }));

const history = (...told: Told[]) => lastValueFrom(from(deliveries(told)).pipe(recordHistory(traffic)));

const write = (process: string, value: unknown, key?: unknown): Told => ({
  type: 'request',
  process,
  kind: 'write',
  location: 'x',
  value,
  key,
});
const read = (process: string, key?: unknown): Told => ({
  type: 'request',
  process,
  kind: 'read',
  location: 'x',
  key,
});
const answer = (process: string, told: object = {}): Told => ({ type: 'answer', process, ...told });

test('an access begins with its request and ends with its answer', async () => {
  expect(
    await history(write('p', 1), { type: 'noise' }, answer('p'), read('q'), answer('q', { value: 1 })),
  ).toEqual([
    { process: 'p', kind: 'write', location: 'x', value: 1, invoked: 0, responded: 2, ticks: [0, 4] },
    { process: 'q', kind: 'read', location: 'x', value: 1, invoked: 3, responded: 4, ticks: [6, 8] },
  ]);
});

test('answers go to the requests of their process and key, the oldest first', async () => {
  const told = await history(
    read('p', 1),
    read('p', 2),
    read('p', 1),
    read('q', 1),
    answer('p', { key: 2, value: 'second' }),
    answer('p', { key: 1, value: 'first' }),
    answer('p', { key: 1, value: 'third' }),
  );

  expect(told.map(({ process, value, invoked, responded }) => [process, value, invoked, responded])).toEqual([
    ['p', 'second', 1, 4],
    ['p', 'first', 0, 5],
    ['p', 'third', 2, 6],
    ['q', undefined, 3, undefined],
  ]);
});

test('what is not answered has no end, and what was not asked for is passed over', async () => {
  const told = await history(answer('p', { value: 7 }), write('p', 1));

  expect(told).toEqual([{ process: 'p', kind: 'write', location: 'x', value: 1, invoked: 1, ticks: [2] }]);
});

test('an update tells in its answer what it found', async () => {
  const told = await history(
    { type: 'request', process: 'p', kind: 'update', location: 'x', value: 5 },
    answer('p', { found: 4 }),
  );

  expect(told).toMatchObject([{ kind: 'update', found: 4, value: 5 }]);
});
