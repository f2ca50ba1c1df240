import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { ByteMemory } from '../common/byte-memory.ts';
import { ldmBytes, reservedBytes } from './address/space.ts';
import { coreOfTransfer } from './descriptor.ts';
import { granuleBytes, LdmAllocator } from './ldm/allocator.ts';
import type {
  LdmAllocate,
  LdmAllocated,
  LdmData,
  LdmGather,
  LdmRead,
  LdmScatter,
  LdmStatics,
  LdmStored,
  LdmWrite,
  ReplyEvent,
  ReplyIncrement,
  ReplyWatch,
} from './messages.ts';
import type { StaticVariable } from './static-layout.ts';

/** The scratchpad of one CPE, and whom it wakes. */
export interface LdmInput {
  readonly self: Address;
  readonly cpe: Address;
  /** The CPE in the node: 64 times its core group, and its tid. */
  readonly core: number;
  /** Where the heap ends: stack, shared part and cache follow. */
  readonly heapEnd: number;
  /** Where the data cache begins, of which no program has a byte. */
  readonly cacheFirst: number;
}

/** The scratchpad of one CPE. */
export interface LdmContext {
  readonly spec: LdmInput;
  readonly bytes: ByteMemory;
  /** What its CPE waits for: a word and the value that it must reach. */
  watch: { readonly offset: number; readonly value: number } | null;
  /** One past the static data of the program; the heap begins behind them with its first call. */
  staticsEnd: number;
  variables: readonly StaticVariable[];
  heap: LdmAllocator | null;
  /** What has been reported: each finding once a program. */
  reported: string[];
}

export type LdmEvent =
  | LdmAllocate
  | LdmGather
  | LdmScatter
  | LdmRead
  | LdmStatics
  | LdmWrite
  | ReplyIncrement
  | ReplyWatch;
export type LdmSends = LdmAllocated | LdmData | LdmStored | ReplyEvent;
export type LdmOut = Outbox<LdmSends>;

const { act, update, when } = component<LdmContext, LdmEvent, LdmSends>();

/** Whether the word that its CPE waits for has come far enough. */
export const hasCome = ({ watch, bytes }: LdmContext): boolean =>
  watch !== null && bytes.word(watch.offset) >= watch.value;

/** Tells the CPE so: it goes on in the next cycle (specification 12, P10). */
export function tellWatcher(c: LdmContext, _event: unknown, out: LdmOut): void {
  const { offset } = c.watch!;
  c.watch = null;
  out.post({ to: c.spec.cpe, type: 'reply.event', offset, value: c.bytes.word(offset) });
}

/** Reports something once a program. */
function reportOnce(c: LdmContext, kind: string, property: string, found: string, out: LdmOut): void {
  if (c.reported.includes(kind)) return;
  c.reported.push(kind);
  out.report({
    property,
    why: `${kind}: ${found} in the LDM of CPE ${c.spec.core % 64} of core group ${Math.floor(c.spec.core / 64)}`,
  });
}

/** Whether a program has these bytes: the page of the runtime, static data, live blocks, stack and shared part. */
function isHeld({ staticsEnd, heap, spec }: LdmContext, offset: number, bytes: number): boolean {
  const end = offset + bytes;
  const isBehind = offset >= spec.heapEnd && end <= spec.cacheFirst;
  return end <= staticsEnd || isBehind || (heap?.covers(offset, bytes) ?? false);
}

/** Looks whether an access goes where nothing was allocated (specification 4.2, 6.4, E25). */
function judge(
  c: LdmContext,
  offset: number,
  bytes: number,
  core: number,
  transfer: number,
  out: LdmOut,
): void {
  if (isHeld(c, offset, bytes)) return;
  const by = core >= 0 ? core : coreOfTransfer(transfer);
  const where = `bytes ${offset} to ${offset + bytes - 1}`;
  if (core < 0 && by !== c.spec.core)
    reportOnce(
      c,
      'RemoteRangeUnallocated',
      'transfers go to LDM that the receiver has allocated',
      `a transfer of core ${by} touches ${where}, which no live block covers,`,
      out,
    );
  else
    reportOnce(
      c,
      'WildLdmAccess',
      'accesses to LDM stay in static data and live blocks',
      `core ${by} touches ${where}, which nothing covers,`,
      out,
    );
}

/** The heap. It begins behind the static data; as long as it has no block, more of them may be laid out. */
function heapOf({ heap, staticsEnd, spec }: LdmContext): LdmAllocator {
  const first = Math.min(Math.ceil(staticsEnd / granuleBytes) * granuleBytes, spec.heapEnd);
  if (heap && (heap.live.length > 0 || heap.first === first)) return heap;
  return new LdmAllocator(first, spec.heapEnd, { live: [], used: 0, peak: heap?.peakBytes ?? 0 });
}

/**
 * Looks whether scratch that a collective is given is there as declared (specification 6.11): within one block, or one static variable.
 *
 * Details: a variable behind it would be overwritten all the same, so that one does not count.
 */
function judgeScratch(c: LdmContext, address: number, size: number, out: LdmOut): void {
  const variable = c.variables.find(({ offset, bytes }) => address >= offset && address < offset + bytes);
  const left = variable && variable.offset + variable.bytes - address;
  if (left === undefined ? isHeld(c, address, size) : size <= left) return;
  reportOnce(
    c,
    'ScratchOverflow',
    'scratch that a collective is given is allocated',
    `scratch of ${size} bytes is declared at 0x${address.toString(16)}, ${left === undefined ? 'which no live block covers,' : `where a static variable has ${left},`}`,
    out,
  );
}

/** Carries out a call of the allocator (specification 6.4, 6.11). Two results in one number: see `pldm_malloc_max`. */
function allocate(c: LdmContext, { request, address, size }: LdmAllocate, out: LdmOut): number {
  if (request === 'scratch') {
    judgeScratch(c, address, size, out);
    return 0;
  }
  const heap = heapOf(c);
  const value = answered(c, heap, request, address, size, out);
  if (heap.live.length > 0) c.heap = heap;
  return value;
}

function answered(
  c: LdmContext,
  heap: LdmAllocator,
  request: Exclude<LdmAllocate['request'], 'scratch'>,
  address: number,
  size: number,
  out: LdmOut,
): number {
  switch (request) {
    case 'freeAddress':
      return heap.largestFree().address;
    case 'freeSize':
      return heap.largestFree().bytes;
    case 'malloc':
      return heap.allocate(size);
    case 'mallocMax': {
      const block = heap.allocateLargest();
      return block === undefined ? 0 : block.address + block.bytes * 2 ** 18;
    }
    case 'free':
      if (!heap.free(address, size))
        reportOnce(
          c,
          'BadFree',
          'what is freed was allocated with that size',
          `no block of ${size} bytes begins at ${address}`,
          out,
        );
      return 0;
    case 'freeAll':
      heap.freeAll();
      return 0;
  }
}

/** Reads bytes for a core or an engine. */
export function read(
  c: LdmContext,
  { offset, bytes, tag, core, answerDelay }: LdmRead,
  out: LdmOut,
  to: Address = out.from,
): void {
  judge(c, offset, bytes, core, tag, out);
  out.post({
    to,
    type: 'ldm.data',
    tag,
    data: c.bytes.slice(offset, offset + bytes),
    delay: answerDelay,
  });
}

/** Writes bytes of a core or an engine. */
export function write(
  c: LdmContext,
  { offset, data, tag, core, answerDelay }: LdmWrite,
  out: LdmOut,
  to: Address = out.from,
): void {
  judge(c, offset, data.length, core, tag, out);
  c.bytes.put(offset, data);
  if (answerDelay >= 0) out.post({ to, type: 'ldm.stored', tag, delay: answerDelay });
}

/** Reads a word for each lane of a vector. */
export function gather(
  c: LdmContext,
  { offsets, core, answerDelay }: LdmGather,
  out: LdmOut,
  to: Address = out.from,
): void {
  const data = new Uint8Array(4 * offsets.length);
  for (const [lane, offset] of offsets.entries()) {
    judge(c, offset, 4, core, 0, out);
    data.set(c.bytes.slice(offset, offset + 4), 4 * lane);
  }
  out.post({ to, type: 'ldm.data', tag: 0, data, delay: answerDelay });
}

/** Writes a word of each lane of a vector. */
export function scatter(
  c: LdmContext,
  { offsets, data, core, answerDelay }: LdmScatter,
  out: LdmOut,
  to: Address = out.from,
): void {
  for (const [lane, offset] of offsets.entries()) {
    judge(c, offset, 4, core, 0, out);
    c.bytes.put(offset, data.slice(4 * lane, 4 * lane + 4));
  }
  out.post({ to, type: 'ldm.stored', tag: 0, delay: answerDelay });
}

/** Adds 1 to a reply word. */
export function increment(c: LdmContext, { offset }: ReplyIncrement): void {
  c.bytes.setWord(offset, c.bytes.word(offset) + 1);
}

/** A program begins, or has declared static data. */
export function layOut(c: LdmContext, { begins, end, variables }: LdmStatics, out: LdmOut): void {
  if (begins) {
    c.heap = null;
    c.reported = [];
    c.staticsEnd = reservedBytes;
    c.variables = [];
    return;
  }
  if (end > (c.heap?.live.length ? c.heap.first : c.spec.heapEnd))
    reportOnce(
      c,
      'StaticsInHeap',
      'static data are declared before the heap is used, and have room',
      `static data reach to ${end}`,
      out,
    );
  c.staticsEnd = end;
  c.variables = [...c.variables, ...variables];
}

/** Answers a call of the allocator. */
export function answerAllocator(c: LdmContext, event: LdmAllocate, out: LdmOut): void {
  const value = allocate(c, event, out);
  out.post({ to: c.spec.cpe, type: 'ldm.allocated', value, delay: 1 });
}

/** Notes what its CPE waits for. */
export function watch(c: LdmContext, { offset, value }: ReplyWatch): void {
  c.watch = { offset, value };
}

/** A scratchpad of which nothing is used. */
export const emptyLdm = (input: LdmInput): LdmContext => ({
  spec: input,
  bytes: new ByteMemory(ldmBytes),
  watch: null,
  staticsEnd: reservedBytes,
  variables: [],
  heap: null,
  reported: [],
});

/**
 * The scratchpad of one CPE (specification 8.7): bytes, and the reply words among them.
 *
 * Details: what an engine writes and the increment that announces it come on one channel, so the data are there first (specification 7.1). Its
 * ports never conflict; easier to read before `ported-ldm.ts`, where they do.
 */
export const ldm = setup({
  types: {} as { context: LdmContext; events: LdmEvent; input: LdmInput },
  guards: { hasCome: when(hasCome) },
  actions: {
    read: act<'ldm.read'>(read),
    write: act<'ldm.write'>(write),
    gather: act<'ldm.gather'>(gather),
    scatter: act<'ldm.scatter'>(scatter),
    increment: update<'reply.increment'>(increment),
    layOut: act<'ldm.statics'>(layOut),
    allocate: act<'ldm.allocate'>(answerAllocator),
    watch: update<'reply.watch'>(watch),
    tellWatcher: act(tellWatcher),
  },
}).createMachine({
  id: 'ldm',
  context: ({ input }) => emptyLdm(input),
  initial: 'ready',
  on: {
    'ldm.read': { actions: 'read' },
    'ldm.write': { actions: 'write' },
    'ldm.gather': { actions: 'gather' },
    'ldm.scatter': { actions: 'scatter' },
    'reply.increment': { actions: 'increment' },
    'reply.watch': { target: '.watched', actions: 'watch' },
    'ldm.statics': { actions: 'layOut' },
    'ldm.allocate': { actions: 'allocate' },
  },
  states: {
    ready: {},
    // Its CPE waits for a word, and says so by its own state.
    watched: { always: { guard: 'hasCome', target: 'ready', actions: 'tellWatcher' } },
  },
});
