import { nodeOf } from '../../actors/tca/address-map.ts';
import type { BytesVisible, MemoryWrite } from '../../actors/tca/messages.ts';
import { judged, property } from '../property.ts';
import { isDmac, isFlag, isMemory, nameOfWrite, nodeIn, piecesOf, said, type TcaContext } from './context.ts';

/** The writes that a chain makes: which of its pieces are not visible yet, by their place in the chain. */
interface Chain {
  /** Number of its first write among those of its channel; -1 behind a chain that failed, until it makes one. */
  first: number;
  /** Addresses to which it writes, in order. */
  readonly addresses: readonly number[];
  readonly missing: Set<number>;
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
        // By address: a write that was made too early has the number of another one.
        const place = [...chain.missing].find((one) => chain.addresses[one] === write.addr);
        if (place === undefined) return;
        chain.missing.delete(place);
        if (!isFlag(write, config)) return;
        // A node that notifies itself learns that its channel has read and sent everything, not that other nodes have it (specification 12.4).
        const node = nodeOf(write.addr);
        const late = [...chain.missing].find((one) => one < place && nodeOf(chain.addresses[one]!) === node);
        if (late !== undefined)
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
              const open = (chains.get(to) ?? []).filter(({ missing }) => missing.size > 0);
              chains.set(to, [...open, { first, addresses, missing: new Set(addresses.keys()) }]);
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
