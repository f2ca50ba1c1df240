import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import { judged, property } from '../property.ts';
import { isController, isEngine, isLdm, type SunwayPropertyContext, said } from './context.ts';
import { ShadowBytes } from './shadow-bytes.ts';

/** Bytes of a transfer in main memory (Sunway specification 4.1). */
interface Pieces {
  readonly memory: number;
  readonly len: number;
  readonly bsize: number;
  readonly stride: number;
}

/** The address of the k-th byte: block by block, with a gap behind each. */
const placeOf = ({ memory, bsize, stride }: Pieces, k: number): number =>
  stride === 0 ? memory + k : memory + Math.floor(k / bsize) * (bsize + stride) + (k % bsize);

const endOf = (pieces: Pieces): number => placeOf(pieces, pieces.len - 1) + 1;
const mayMeet = (a: Pieces, b: Pieces): boolean => a.memory < endOf(b) && b.memory < endOf(a);

/** The byte of a transfer that has an address: how many come before it. */
const indexAt = ({ memory, bsize, stride }: Pieces, address: number): number => {
  const past = address - memory;
  const pitch = bsize + stride;
  return stride === 0 ? past : Math.floor(past / pitch) * bsize + (past % pitch);
};

/** A put that is under way: its bytes as they were read, which of them were, and how many are not written. */
interface Put {
  readonly issue: DescriptorIssue;
  readonly bytes: Uint8Array;
  readonly isRead: Uint8Array;
  /** From where the next answers of the LDM come. */
  readonly asked: number[];
  left: number;
}

/** A read that is under way: its bytes as they were when it came, and after each change to any of them. */
interface Read {
  readonly pieces: Pieces;
  readonly states: Uint8Array[];
}

/** What a core does to memory by itself. */
interface Store {
  readonly data: Uint8Array;
  /** What is added to the word, for a fetch-and-add. */
  readonly added: number | null;
}

/** What a get brings was in main memory while it was under way: puts write all their bytes in their places and no others (Sunway specification 4.1; 12, P4). */
export const memoryKeepsWhatIsPut = property<SunwayPropertyContext>(
  'a get brings bytes that main memory held while it was under way',
  (run) =>
    judged(
      said(
        run,
        'descriptor.issue',
        'ldm.read',
        'ldm.data',
        'memory.read',
        'memory.response',
        'memory.access',
        'memory.visible',
      ),
      (found) => {
        const memory = new ShadowBytes();
        const puts = new Map<number, Put>();
        const stores = new Map<string, Store[]>();
        /** By transfer and offset: one of all its bytes, or one a block. */
        const reads = new Map<string, Read>();
        const bytesOf = (pieces: Pieces): Uint8Array =>
          Uint8Array.from({ length: pieces.len }, (_, k) => memory.read(placeOf(pieces, k)));
        const change = (pieces: Pieces, data: Uint8Array): void => {
          for (let k = 0; k < data.length; k++) memory.write(placeOf(pieces, k), data[k]!);
          for (const { pieces: read, states } of reads.values())
            if (mayMeet(read, pieces)) states.push(bytesOf(read));
        };
        /** Bytes of a put are in memory: those that were read, and each once. */
        const write = (
          { transfer, memory: address, len }: Pieces & { transfer: number },
          to: string,
        ): void => {
          const put = puts.get(transfer);
          const first = put === undefined ? 0 : indexAt(put.issue, address);
          const end = first + len;
          if (put === undefined || end > put.issue.len || put.isRead.subarray(first, end).includes(0)) {
            found([to], `bytes of put ${transfer} are in memory, and nobody has read them`);
            return;
          }
          put.isRead.fill(0, first, end);
          put.left -= len;
          if (put.left === 0) puts.delete(transfer);
          // A block is contiguous; what stands for all blocks has the pieces of the transfer.
          const whole = len === put.issue.len;
          const { bsize, stride } = put.issue;
          change(
            { memory: address, len, bsize: whole ? bsize : 0, stride: whole ? stride : 0 },
            put.bytes.subarray(first, end),
          );
        };
        /** What was shown of accesses that have not been told, by core and address. */
        const early = new Map<string, Pieces>();
        const dataOf = ({ data, added }: Store, pieces: Pieces): Uint8Array => {
          if (added === null) return data;
          const word = new DataView(bytesOf(pieces).buffer);
          word.setInt32(0, word.getInt32(0, true) + added, true);
          return new Uint8Array(word.buffer);
        };
        return {
          see({ from, to, event }) {
            switch (event.type) {
              case 'descriptor.issue':
                if (event.kind === 'dmaPut')
                  puts.set(event.transfer, {
                    issue: event,
                    bytes: new Uint8Array(event.len),
                    isRead: new Uint8Array(event.len),
                    asked: [],
                    left: event.len,
                  });
                return;
              case 'memory.read':
                if (isController(to))
                  reads.set(`${event.transfer} ${event.block?.offset ?? -1}`, {
                    pieces: event,
                    states: [bytesOf(event)],
                  });
                return;
              case 'ldm.read': {
                const put = event.core < 0 && isLdm(to) ? puts.get(event.tag) : undefined;
                put?.asked.push(event.offset - put.issue.ldm);
                return;
              }
              case 'ldm.data': {
                const put = isEngine(to) ? puts.get(event.tag) : undefined;
                const first = put?.asked.shift();
                if (put === undefined || first === undefined) return;
                put.bytes.set(event.data, first);
                put.isRead.fill(1, first, first + event.data.length);
                return;
              }
              case 'memory.access': {
                const { kind, core, memory: address, data, value } = event;
                if (!isController(to) || kind === 'load') return;
                const name = `${core} ${address}`;
                const store = { data, added: kind === 'add' ? value : null };
                // A controller shows what it did before the message that asked for it is told.
                const shown = early.get(name);
                if (shown === undefined) stores.set(name, [...(stores.get(name) ?? []), store]);
                else change(shown, dataOf(store, shown));
                early.delete(name);
                return;
              }
              case 'memory.visible': {
                if (event.transfer >= 0) {
                  write(event, to);
                  return;
                }
                const name = `${event.core} ${event.memory}`;
                const store = stores.get(name)?.shift();
                if (store) change(event, dataOf(store, event));
                else early.set(name, event);
                return;
              }
              default: {
                const key = `${event.transfer} ${event.offset}`;
                const read = reads.get(key);
                if (read === undefined || event.data === null || !isController(from)) return;
                reads.delete(key);
                const { pieces, states } = read;
                const { data } = event;
                if (data.length !== pieces.len) {
                  found([from], `a get of ${pieces.len} bytes brings ${data.length}`);
                  return;
                }
                const wrong = data.findIndex((byte, k) => states.every((state) => state[k] !== byte));
                if (wrong >= 0)
                  found(
                    [from],
                    `byte ${wrong} of a get of ${pieces.len} bytes is ${data[wrong]}, which address 0x${placeOf(pieces, wrong).toString(16)} did not hold`,
                  );
              }
            }
          },
        };
      },
    ),
);
