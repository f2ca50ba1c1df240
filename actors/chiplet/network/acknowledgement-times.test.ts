import { expect, test } from 'vitest';
import { drive } from '../../../kernel/drive.ts';
import type { Address, LockstepEvent } from '../../../kernel/message.ts';
import type { PacketHolder } from './packet-book.ts';
import { transactions } from './transactions.ts';

const event = (one: { readonly type: string } & Readonly<Record<string, unknown>>): LockstepEvent => one;

const [self, injector] = [0, 7] as unknown as readonly [Address, Address];

/** Packet 0 goes from router 2 to router 5. */
const sharedState = {
  packets: { sourceOf: () => 2, targetOf: () => 5, causeOf: () => 0, timeOf: () => 0 },
} as unknown as PacketHolder;

/** What follows the arrival of a request in a cycle. */
function arrived(
  cycle: number,
  targetCycle: number,
  acknowledged = true,
  to: Address | undefined = injector,
) {
  const input = {
    spec: { injector: to, transactions: [{ targetCycle, acknowledged }] },
    sharedState,
  };
  const driven = drive(transactions, input, self);
  return {
    posts: driven.take(event({ type: 'packet.delivered', packet: 0, cycle })),
    context: driven.context,
  };
}

test('a request is acknowledged by one flit on the way back, not before its target is ready', () => {
  const [[early], [late]] = [arrived(20, 30).posts, arrived(40, 30).posts];

  expect(early).toMatchObject({ to: injector, type: 'packet.offer', cause: 0, cycle: 20, time: 30 });
  expect(early).toMatchObject({ source: 5, target: 2, size: 1 });
  expect(late).toMatchObject({ cycle: 40, time: 40 });
});

test('an acknowledgement that is planned in the turns of its cycle, or of the one before, is seen a cycle later', () => {
  const seen = [30, 29, 28, 27].map(
    (cycle) => (arrived(cycle, 30).posts[0] as unknown as { seen: number }).seen,
  );

  expect(seen).toEqual([31, 31, 30, 30]);
});

test('what wants no acknowledgement, and an acknowledgement itself, ends a transaction', () => {
  expect(arrived(20, 30, false)).toMatchObject({ posts: [], context: { finished: 1, arrivals: {} } });
  expect(arrived(20, 30)).toMatchObject({ context: { finished: 0, arrivals: { 0: 20 } } });
});

test('where the clock plans acknowledgements only the arrival is kept', () => {
  const input = {
    spec: { injector: undefined, transactions: [{ targetCycle: 30, acknowledged: true }] },
    sharedState,
  };
  const driven = drive(transactions, input, self);

  expect(driven.take(event({ type: 'packet.delivered', packet: 0, cycle: 20 }))).toEqual([]);
  expect(driven.context).toMatchObject({ arrivals: { 0: 20 }, finished: 0 });
});
