import { expect, test } from 'vitest';
import { compile } from '../../../kernel/compile.ts';
import type { Address, Post, Probe } from '../../../kernel/message.ts';
import { silentPort } from '../../../kernel/port.ts';
import type { PacketHolder } from './packet-book.ts';
import { transactions } from './transactions.ts';

test('it awaits the acknowledgements of the requests that want one, and tells of each when it has come', () => {
  const tables = compile(transactions);
  const shown: Probe[] = [];
  const offered: Post[] = [];
  const port = {
    ...silentPort,
    observed: true,
    send: (_to: Address, _delay: number | undefined, message: Post) => void offered.push(message),
    probe: (probe: Probe) => void shown.push(probe),
  };
  // Packet 3 acknowledges packet 0, packet 4 packet 1; nobody wants to hear of packet 2.
  const packets = {
    causeOf: (packet: number) => packet - 3,
    timeOf: (packet: number) => 10 * packet,
    sourceOf: () => 0,
    targetOf: () => 1,
  };
  const all = [
    { targetCycle: 9, acknowledged: true },
    { targetCycle: 2, acknowledged: true },
    { targetCycle: 0, acknowledged: false },
  ];
  const state = tables.start(
    {
      spec: { injector: 7 as Address, transactions: all },
      sharedState: { packets } as unknown as PacketHolder,
    },
    port,
  );
  const arrive = (packet: number, cycle: number) => {
    tables.react(state, { type: 'packet.delivered', packet, cycle } as never, port);
    return state.value;
  };

  const states = [arrive(0, 5), arrive(1, 6), arrive(2, 7), arrive(3, 40), arrive(4, 50)];

  const awaiting = 'awaitingAcknowledgements';
  expect(states).toEqual([awaiting, awaiting, awaiting, awaiting, 'settled']);
  expect(offered).toMatchObject([
    { type: 'packet.offer', cause: 0, time: 9 },
    { type: 'packet.offer', cause: 1, time: 6 },
  ]);
  expect(shown).toEqual([
    { type: 'transaction.finished', request: 2, arrival: 7 },
    {
      type: 'transaction.finished',
      request: 0,
      arrival: 5,
      acknowledgement: { sent: 30, arrived: 40 },
    },
    {
      type: 'transaction.finished',
      request: 1,
      arrival: 6,
      acknowledgement: { sent: 40, arrived: 50 },
    },
  ]);
});
