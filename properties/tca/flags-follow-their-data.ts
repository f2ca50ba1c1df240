import { nodeOf } from '../../actors/tca/address-map.ts';
import type { BytesVisible, MemoryWrite } from '../../actors/tca/messages.ts';
import { judged, property } from '../property.ts';
import { isDmac, isFlag, isMemory, nameOfWrite, nodeIn, piecesOf, said, type TcaContext } from './context.ts';

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
function placeOf({ first, addresses, missing, lowest }: Chain, { seq, addr }: MemoryWrite): number {
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

const looksAt = [
  'dmac.doorbell',
  'doorbell.lost',
  'channel.error',
  'tlp.write',
  'memory.visible',
  'flag.set',
] as const;

/** When a flag is set, every byte of the earlier descriptors of its chain that goes to the same node is in place (TCA specification 19, I6). */
export const flagsFollowTheirData = property<TcaContext>(
  'a flag is set when all bytes of the earlier descriptors of its chain are in place',
  (run, { config }) =>
    judged(said(run, ...looksAt), (found) => {
      const chains = new Map<string, Chain[]>();
      /** By channel: number of the first write of its next chain, -1 when that is not known; and whether its next doorbell is one that was lost. */
      const heads = new Map<string, number>();
      const deaf = new Set<string>();
      /** What a memory has just shown: the write that it carries out. */
      let visible: BytesVisible | undefined;
      /** Flags in place of which the processors have not heard, by node. */
      const unheard = new Map<number, number>();

      const seen = (write: MemoryWrite) => {
        const key = `Node[${write.source}].Dmac[${write.channel}]`;
        const chain = chains.get(key)?.find(({ first, addresses }) => {
          return write.seq >= first && write.seq < first + addresses.length;
        });
        if (!chain) return;
        const place = placeOf(chain, write);
        if (place < 0) return;
        strike(chain, place);
        if (!isFlag(write, config)) return;
        // A node that notifies itself learns that its channel has read and sent everything, not that other nodes have it (specification 12.4).
        const late = lateBefore(chain, place, nodeOf(write.addr));
        if (late >= 0)
          found([key], `${nameOfWrite(write)} is a flag; ${chain.addresses[late]} is still to be written`);
      };

      /** A chain behind one that failed is known by its first write. */
      const begins = (name: string, seq: number) => {
        const chain = chains.get(name)?.find((one) => one.first < 0);
        if (!chain) return;
        chain.first = seq;
        heads.set(name, seq + chain.addresses.length);
      };

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'doorbell.lost':
              deaf.add(from);
              return;
            case 'channel.error':
              // How much of its chain it has written is seen when it writes again.
              heads.set(from, -1);
              chains.set(from, []);
              return;
            case 'dmac.doorbell': {
              if (deaf.delete(to)) return;
              const first = heads.get(to) ?? 0;
              const pieces = event.chain.flatMap((one) => piecesOf(one, config.parameters.bytesPerTag));
              const addresses = pieces.map(({ dst }) => dst);
              heads.set(to, first < 0 ? -1 : first + addresses.length);
              const open = (chains.get(to) ?? []).filter(({ left }) => left > 0);
              chains.set(to, [...open, chainOf(first, addresses)]);
              return;
            }
            case 'memory.visible':
              visible = event;
              return;
            case 'tlp.write': {
              if (isDmac(from)) begins(from, event.seq);
              if (!isMemory(to)) return;
              if (visible?.addr !== event.addr || visible.data.length !== event.data.length)
                found([to], `${nameOfWrite(event)} arrives, its bytes are not visible`);
              else seen(event);
              visible = undefined;
              if (isFlag(event, config)) unheard.set(nodeIn(to), (unheard.get(nodeIn(to)) ?? 0) + 1);
              return;
            }
            case 'flag.set': {
              const node = nodeIn(to);
              const count = unheard.get(node) ?? 0;
              if (count === 0) found([to], `a flag of node ${event.source} is set that nobody wrote`);
              unheard.set(node, count - 1);
            }
          }
        },
        end() {
          if (!run.quiet) return;
          for (const [node, count] of unheard)
            if (count > 0) found([`Node[${node}].Cpu`], `${count} flags were written that it never heard of`);
        },
      };
    }),
);
