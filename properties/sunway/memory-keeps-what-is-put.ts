import type { Found } from '../../kernel/explore/observer.ts';
import { isController, isEngine, isLdm, sunwayProperty } from './context.ts';
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
  readonly pieces: Pieces;
  /** Where it begins in the LDM. */
  readonly ldm: number;
  readonly bytes: Uint8Array;
  readonly isRead: Uint8Array;
  /** From where the next answers of the LDM come. */
  readonly asked: number[];
  left: number;
}

/** A read that is under way: its bytes as they were when it came, and, by byte, what else they were since, ascending. */
interface Read {
  readonly pieces: Pieces;
  readonly first: Uint8Array;
  readonly later: Record<number, number[]>;
}

/** What a core does to memory by itself. */
interface Store {
  readonly data: Uint8Array;
  /** What is added to the word, for a fetch-and-add. */
  readonly added: number | null;
}

interface Memory {
  readonly bytes: ShadowBytes;
  /** By transfer. */
  readonly puts: Record<number, Put>;
  /** By transfer and offset: one of all its bytes, or one a block. */
  readonly reads: Record<string, Read>;
  /** What was asked and is not visible yet: by core and address. */
  readonly stores: Record<string, Store[]>;
}

/** The parts of a transfer that lie in one piece: where they begin in memory and in the transfer, and their bytes. */
function* blocksOf(pieces: Pieces): Generator<readonly [number, number, number]> {
  const { len, bsize, stride } = pieces;
  const bytes = stride === 0 ? len : bsize;
  for (let k = 0; k < len; k += bytes) yield [placeOf(pieces, k), k, Math.min(bytes, len - k)];
}

function bytesOf({ bytes }: Memory, pieces: Pieces): Uint8Array {
  const data = new Uint8Array(pieces.len);
  for (const [address, first, count] of blocksOf(pieces)) data.set(bytes.slice(address, count), first);
  return data;
}

function change(memory: Memory, pieces: Pieces, data: Uint8Array): void {
  for (const [address, first, count] of blocksOf(pieces))
    memory.bytes.put(address, data.subarray(first, first + count));
  for (const read of Object.values(memory.reads))
    if (mayMeet(read.pieces, pieces)) note(read, bytesOf(memory, read.pieces));
}

/** Notes what the bytes of a read are now. */
function note({ first, later }: Read, bytes: Uint8Array): void {
  for (const [k, byte] of bytes.entries())
    if (byte !== first[k] && !later[k]?.includes(byte))
      later[k] = [...(later[k] ?? []), byte].sort((a, b) => a - b);
}

/** Bytes of a put are in memory: those that were read, and each once. */
function write(memory: Memory, transfer: number, at: number, len: number, to: string): Found | undefined {
  const put = memory.puts[transfer];
  const first = put === undefined ? 0 : indexAt(put.pieces, at);
  const end = first + len;
  if (put === undefined || end > put.pieces.len || put.isRead.subarray(first, end).includes(0))
    return { actors: [to], why: `bytes of put ${transfer} are in memory, and nobody has read them` };
  put.isRead.fill(0, first, end);
  put.left -= len;
  if (put.left === 0) delete memory.puts[transfer];
  // A block is contiguous; what stands for all blocks has the pieces of the transfer.
  const pieces = len === put.pieces.len ? put.pieces : { memory: at, len, bsize: 0, stride: 0 };
  change(memory, { ...pieces, memory: at }, put.bytes.subarray(first, end));
  return undefined;
}

/** A core has changed memory. */
function store(memory: Memory, { data, added }: Store, pieces: Pieces): void {
  if (added === null) {
    change(memory, pieces, data);
    return;
  }
  const word = new DataView(bytesOf(memory, pieces).buffer);
  word.setInt32(0, word.getInt32(0, true) + added, true);
  change(memory, pieces, new Uint8Array(word.buffer));
}

/** What is wrong with the bytes that a get brings. */
function answerWrong({ pieces, first, later }: Read, data: Uint8Array): string | undefined {
  if (data.length !== pieces.len) return `a get of ${pieces.len} bytes brings ${data.length}`;
  const wrong = data.findIndex((byte, k) => byte !== first[k] && !later[k]?.includes(byte));
  return wrong < 0
    ? undefined
    : `byte ${wrong} of a get of ${pieces.len} bytes is ${data[wrong]}, which address 0x${placeOf(pieces, wrong).toString(16)} did not hold`;
}

/** What a get brings was in main memory while it was under way: puts write all their bytes in their places and no others (Sunway specification 4.1; 12, P4). */
export const memoryKeepsWhatIsPut = sunwayProperty(
  'a get brings bytes that main memory held while it was under way',
  [
    'descriptor.issue',
    'ldm.read',
    'ldm.data',
    'memory.read',
    'memory.response',
    'memory.access',
    'memory.visible',
  ],
  () => ({
    begin: (): Memory => ({ bytes: new ShadowBytes(), puts: {}, reads: {}, stores: {} }),
    see(memory: Memory, event, to, from) {
      const { puts, reads, stores } = memory;
      switch (event.type) {
        case 'descriptor.issue': {
          if (event.kind !== 'dmaPut') return undefined;
          const { len, ldm } = event;
          const [bytes, isRead] = [new Uint8Array(len), new Uint8Array(len)];
          puts[event.transfer] = { pieces: piecesOf(event), ldm, bytes, isRead, asked: [], left: len };
          return undefined;
        }
        case 'memory.read': {
          if (!isController(to)) return undefined;
          const pieces = piecesOf(event);
          reads[`${event.transfer} ${event.block?.offset ?? -1}`] = {
            pieces,
            first: bytesOf(memory, pieces),
            later: {},
          };
          return undefined;
        }
        case 'ldm.read': {
          const put = event.core < 0 && isLdm(to) ? puts[event.tag] : undefined;
          put?.asked.push(event.offset - put.ldm);
          return undefined;
        }
        case 'ldm.data': {
          const put = isEngine(to) ? puts[event.tag] : undefined;
          const first = put?.asked.shift();
          if (put === undefined || first === undefined) return undefined;
          put.bytes.set(event.data, first);
          put.isRead.fill(1, first, first + event.data.length);
          return undefined;
        }
        case 'memory.access': {
          const { kind, core, memory: address, data, value } = event;
          if (!isController(to) || kind === 'load' || kind === 'fill') return undefined;
          const name = `${core} ${address}`;
          const asked = { data, added: kind === 'add' ? value : null };
          stores[name] = [...(stores[name] ?? []), asked];
          return undefined;
        }
        case 'memory.visible': {
          if (event.transfer >= 0) return write(memory, event.transfer, event.memory, event.len, to);
          const name = `${event.core} ${event.memory}`;
          const [asked, ...others] = stores[name] ?? [];
          if (asked) store(memory, asked, event);
          if (others.length > 0) stores[name] = others;
          else delete stores[name];
          return undefined;
        }
        default: {
          const key = `${event.transfer} ${event.offset}`;
          const read = reads[key];
          if (read === undefined || event.data === null || !isController(from)) return undefined;
          delete reads[key];
          const why = answerWrong(read, event.data);
          return why === undefined ? undefined : { actors: [from], why };
        }
      }
    },
  }),
);

const piecesOf = ({ memory, len, bsize, stride }: Pieces): Pieces => ({ memory, len, bsize, stride });
