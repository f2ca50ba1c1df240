import { nodeOf } from '../../actors/tca/address-map.ts';
import type { MemoryWrite } from '../../actors/tca/protocol.ts';
import type { Pending } from '../../kernel/explore/observer.ts';
import {
  dmacName,
  isDmac,
  isFlag,
  isMemory,
  nameOfWrite,
  nodeIn,
  piecesOf,
  type TcaKnown,
  tcaProperty,
} from './context.ts';

/** The writes that a chain makes, and which of them are not visible yet. */
interface Chain {
  /** Number of its first write among those of its channel; -1 behind a chain that failed, until it makes one. */
  first: number;
  /** Addresses to which it writes, in order. */
  readonly addresses: readonly number[];
  /** By place in the chain: 1 for what is missing, of which there is nothing before `lowest`. */
  readonly missing: Uint8Array;
  lowest: number;
  left: number;
}

const chainOf = (first: number, addresses: readonly number[]): Chain => ({
  first,
  addresses,
  missing: new Uint8Array(addresses.length).fill(1),
  lowest: 0,
  left: addresses.length,
});

/**
 * The place of a write that is missing; -1 when there is none.
 *
 * Details: by its address, since a write that was made too early has the number of another one; where its number says in nearly all cases.
 */
function placeOf({ first, addresses, missing, lowest }: Chain, { seq, addr }: Arrived): number {
  if (addresses[seq - first] === addr && missing[seq - first] === 1) return seq - first;
  for (let place = lowest; place < addresses.length; place++)
    if (missing[place] === 1 && addresses[place] === addr) return place;
  return -1;
}

/** The place of the first write that is missing before another one and goes to a node; -1 when there is none. */
function lateBefore({ addresses, missing, lowest }: Chain, end: number, node: number): number {
  for (let place = lowest; place < end; place++)
    if (missing[place] === 1 && nodeOf(addresses[place]!) === node) return place;
  return -1;
}

function strike(chain: Chain, place: number): void {
  chain.missing[place] = 0;
  chain.left--;
  while (chain.missing[chain.lowest] === 0) chain.lowest++;
}

interface Channel {
  /** Number of the first write of its next chain; -1 when that is not known. */
  head: number;
  /** Those of which something is not visible yet. */
  chains: Chain[];
}

/** A write that has come to a memory. */
interface Arrived extends Pick<MemoryWrite, 'seq' | 'addr' | 'source' | 'channel'> {
  readonly memory: string;
  readonly name: string;
  readonly bytes: number;
  readonly isFlag: boolean;
}

interface Flags {
  readonly channels: Record<string, Channel>;
  /** The write that a memory has just got: its bytes are visible at once. */
  arrived: Arrived | null;
  /** By node: flags in place of which the processor has not heard. */
  readonly unheard: number[];
}

function of({ channels }: Flags, name: string): Channel {
  channels[name] ??= { head: 0, chains: [] };
  return channels[name];
}

/** A chain behind one that failed is known by its first write. */
function begins(channel: Channel, seq: number): void {
  const chain = channel.chains.find(({ first }) => first < 0);
  if (!chain) return;
  chain.first = seq;
  channel.head = seq + chain.addresses.length;
}

/** When a flag is set, every byte of the earlier descriptors of its chain that goes to the same node is in place (TCA specification 19, I6). */
export const flagsFollowTheirData = ({ config }: TcaKnown) =>
  tcaProperty({
    sentence: 'a flag is set when all bytes of the earlier descriptors of its chain are in place',
    watches: ['dmac.doorbell', 'doorbell.lost', 'channel.error', 'tlp.write', 'memory.visible', 'flag.set'],
    begin: (): Flags => ({
      channels: {},
      arrived: null,
      unheard: new Array<number>(config.nodes).fill(0),
    }),
    see(flags, { from, to, event }, found, met) {
      const { arrived } = flags;
      flags.arrived = null;
      if (arrived !== null) {
        const { memory, addr, bytes } = arrived;
        const isVisible =
          event.type === 'memory.visible' &&
          to === memory &&
          event.addr === addr &&
          event.data.length === bytes;
        if (isVisible) {
          const dmac = dmacName(arrived.source, arrived.channel);
          const late = lateBehind(of(flags, dmac), arrived);
          if (late !== undefined) found([dmac], `${arrived.name} is a flag; ${late} is still to be written`);
          return;
        }
        found([memory], `${arrived.name} arrives, its bytes are not visible`);
      }
      switch (event.type) {
        case 'doorbell.lost': {
          const channel = of(flags, from);
          const { first } = channel.chains.pop()!;
          channel.head = first;
          return;
        }
        case 'channel.error': {
          // How much of its chain it has written is seen when it writes again.
          const channel = of(flags, from);
          channel.head = -1;
          channel.chains = [];
          return;
        }
        case 'dmac.doorbell': {
          const channel = of(flags, to);
          const { head } = channel;
          const pieces = event.chain.flatMap((one) => piecesOf(one, config.parameters.bytesPerTag));
          channel.head = head < 0 ? -1 : head + pieces.length;
          channel.chains.push(
            chainOf(
              head,
              pieces.map(({ dst }) => dst),
            ),
          );
          return;
        }
        case 'tlp.write': {
          if (isDmac(from)) begins(of(flags, from), event.seq);
          if (!isMemory(to)) return;
          const { seq, addr, source, channel } = event;
          flags.arrived = {
            ...{ memory: to, seq, addr, source, channel },
            name: nameOfWrite(event),
            bytes: event.data.length,
            isFlag: isFlag(event, config),
          };
          if (flags.arrived.isFlag) flags.unheard[nodeIn(to)]!++;
          return;
        }
        case 'flag.set': {
          const node = nodeIn(to);
          if (flags.unheard[node] === 0)
            found([to], `a flag of node ${event.source} is set that nobody wrote`);
          flags.unheard[node]!--;
          met?.(processorOf(node));
        }
      }
    },
    atRest: ({ unheard, arrived }, found) => {
      if (arrived) found([arrived.memory], `${arrived.name} arrives, its bytes are not visible`);
      for (const { actors, why } of unheardIn(unheard)) found(actors, why);
    },
    pending: ({ unheard }) => unheardIn(unheard),
  });

const processorOf = (node: number): string => `Node[${node}].Cpu`;

const unheardIn = (unheard: Flags['unheard']): readonly Pending[] =>
  unheard.flatMap((count, node) => {
    const key = processorOf(node);
    return count > 0
      ? [{ key, actors: [key], why: `${count} flags were written that it never heard of` }]
      : [];
  });

/** Strikes a write that is visible out of its chain; of a flag the address of a write before it that is not. */
function lateBehind(channel: Channel, write: Arrived): number | undefined {
  const chain = channel.chains.find(
    ({ first, addresses }) => write.seq >= first && write.seq < first + addresses.length,
  );
  const place = chain ? placeOf(chain, write) : -1;
  if (!chain || place < 0) return undefined;
  strike(chain, place);
  if (chain.left === 0) channel.chains.splice(channel.chains.indexOf(chain), 1);
  // A node that notifies itself learns that its channel has read and sent everything, not that other nodes have it (specification 12.4).
  const late = write.isFlag ? lateBefore(chain, place, nodeOf(write.addr)) : -1;
  return late < 0 ? undefined : chain.addresses[late]!;
}
