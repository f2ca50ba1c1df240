import { describe, expect, test } from 'vitest';
import { compile } from '../../kernel/compile.ts';
import type { Address, Post } from '../../kernel/message.ts';
import { silentPort } from '../../kernel/port.ts';
import { addressOf } from './address-map.ts';
import { inSubTicks } from './parameters.ts';
import type { MemoryWrite } from './protocol.ts';
import { router } from './router.ts';

const at = (address: number) => address as Address;
const cable = at(3);
const [chipOut, chipTransit] = [18, 44];

/** What it posts, and when that is due. */
type Posted = Post & { readonly due: number };

/** A router of node 0 with a host and a neighbour to the east, driven message by message; what it posts is kept. */
function driven(transmitPackets: number) {
  const posts: Posted[] = [];
  const tables = compile(router);
  const port = {
    ...silentPort,
    self: at(1),
    post: (message: Post) => {
      posts.push({ ...message, due: port.now + (message.delay ?? 0) });
    },
    send: (_to: Address, _delay: number | undefined, message: Post) => port.post(message),
  };
  const input = {
    node: 0,
    links: { N: at(2), E: cable },
    senders: { N: at(4), W: at(5) },
    dmacs: [6, 7, 8, 9].map(at),
    ports: ['N', 'E', 'E'],
    transmitPackets,
    parameters: { chipOut, chipTransit, cableLatency: 8 },
  };
  const state = tables.start(input, port);
  const take = (event: { readonly type: string }, now = port.now) => {
    port.now = now;
    tables.react(state, event, port);
  };
  return {
    take,
    state,
    /** Carries out the turns that it has asked for, in their order. */
    turn: () => {
      for (let next = turns(posts).shift(); next; next = turns(posts).shift()) {
        posts.splice(posts.indexOf(next), 1);
        take(next, next.due);
      }
    },
    /** Writes that went into the queue of the cable: who made them, and when. */
    granted: () =>
      posts
        .filter((one) => one.type === 'tlp.write' && one.to === cable)
        .map((one) => {
          const { channel } = one as unknown as MemoryWrite;
          return [channel, one.due];
        }),
    told: (type: string) => posts.filter((one) => one.type === type),
  };
}

const turns = (posts: readonly Posted[]) =>
  posts.filter(({ type }) => type === 'router.turn').sort((a, b) => a.due - b.due);

let seq = 0;
const write = (channel: number, to: number, source = 0, input?: number): MemoryWrite => ({
  type: 'tlp.write',
  addr: addressOf(to, 'cpu', 0),
  data: new Uint8Array(128),
  source,
  channel,
  seq: seq++,
  ...(input !== undefined && { input }),
});

describe('a router', () => {
  test('grants a port to its inputs in turns, one packet a cycle', () => {
    const { take, turn, granted, told } = driven(16);
    for (const channel of [2, 2, 0, 0, 1, 1]) take(write(channel, 1));
    turn();

    const ready = inSubTicks(chipOut);
    expect(granted()).toEqual([0, 1, 2, 0, 1, 2].map((channel, k) => [channel, ready + 16 * k]));
    expect(told('write.accepted').map(({ to }) => to)).toEqual([6, 7, 8, 6, 7, 8]);
  });

  test('lets what comes from outside of the ring in only where two places are free, what goes round where one is', () => {
    const { take, turn, granted, state } = driven(2);
    take(write(0, 1));
    take(write(0, 1));
    take({ ...write(7, 1, 2, 2) });
    turn();

    // The second one of channel 0 would take the last place; the packet that crosses may.
    expect(granted()).toEqual([
      [0, inSubTicks(chipOut)],
      [7, inSubTicks(chipTransit)],
    ]);
    expect(state.configuration.waiting).toBe(true);

    take({ type: 'port.room', port: 1 } as never, 2000);
    expect(granted()).toHaveLength(2);
    take({ type: 'port.room', port: 1 } as never, 3000);
    expect(granted()).toEqual([
      [0, inSubTicks(chipOut)],
      [7, inSubTicks(chipTransit)],
      [0, 3000],
    ]);
  });

  test('gives the credits of a packet back when it leaves its receive FIFO, over the cable it came by', () => {
    const { take, turn, told } = driven(16);
    take(write(3, 1, 2, 2));
    expect(told('fc.update')).toEqual([]);
    turn();

    expect(told('fc.update')).toEqual([
      {
        to: 5,
        type: 'fc.update',
        kind: 'P',
        headers: 1,
        units: 8,
        delay: 128,
        due: inSubTicks(chipTransit + 8),
      },
    ]);
  });

  test('does not let a packet pass the one before it at its input, wherever that goes', () => {
    const { take, turn, told } = driven(2);
    // Three for the cable, of which the last stands; one for the host behind it.
    for (const to of [1, 1, 0]) take(write(4, to, 2, 2));
    take(write(4, 1, 2, 2));
    turn();
    const before = told('tlp.write').length;
    take(write(4, 0, 2, 2));
    turn();

    expect(before).toBe(3);
    expect(told('tlp.write').map(({ to }) => to)).toEqual([cable, cable, 2]);
  });
});
