import { setup } from 'xstate';
import { invariant } from '../../../kernel/errors.ts';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { MemoryRoute } from '../engine/tbox-input.ts';
import type { CacheWalk, MemoryAccess, MemoryAnswer } from '../messages.ts';
import type { CacheAccess, CacheDrop } from '../probes.ts';
import type { TimingTable } from '../timing/timing-table.ts';
import { DataCache, lineBytes, lineOf } from './data-cache.ts';

/** The data cache of one CPE, and whom it knows. */
export interface DCacheInput {
  readonly self: Address;
  readonly cpe: Address;
  /** The CPE in the node: 64 times its core group, and its tid. */
  readonly core: number;
  /** Bytes taken from the LDM: 32 KiB or 128 KiB. */
  readonly bytes: number;
  readonly routes: readonly MemoryRoute[];
  readonly timing: TimingTable;
}

/** The data cache of one CPE. */
export interface DCacheContext {
  readonly spec: Fixed<DCacheInput>;
  readonly lines: DataCache;
  /** The access at hand, how many of its bytes are done, and what a load has brought so far. */
  access: MemoryAccess | null;
  done: number;
  loaded: Uint8Array;
  /** Cycles that the hits of the access at hand take together. */
  hitCycles: number;
  /** The line that has to be there next; -1 when the access at hand is through. */
  missing: number;
  /** Whether a dirty line has to leave before the missing one can be filled. */
  crowded: boolean;
  /** Lines that a walk lets go, and its write-backs that memory has not answered. */
  leaving: readonly number[];
  unwritten: number;
  /** When the walk at hand is over at the earliest. */
  walkEnd: number;
}

type DCacheEvent = CacheWalk | MemoryAccess | MemoryAnswer;
type DCacheSends = MemoryAccess | MemoryAnswer;
type Out = Outbox<DCacheSends>;

const { act, update, when } = component<DCacheContext, DCacheEvent, DCacheSends>();

const nothing = new Uint8Array(0);

/** Serves the access at hand from lines that are there, up to the first one that is not. */
function lookUp(c: DCacheContext, out: Out): void {
  const access = c.access!;
  const { cpe, core, timing } = c.spec.value;
  // Snapshots of a persistent context share what it holds: bytes are added to a copy.
  c.loaded = c.loaded.slice();
  while (c.done < access.bytes) {
    const address = access.memory + c.done;
    const count = Math.min(access.bytes - c.done, lineOf(address) + lineBytes - address);
    if (!c.lines.holds(address)) {
      c.missing = lineOf(address);
      c.crowded = c.lines.victim(address) !== undefined;
      return;
    }
    if (access.kind === 'load') c.loaded.set(c.lines.read(address, count), c.done);
    else c.lines.write(address, access.data.subarray(c.done, c.done + count));
    if (out.observed)
      out.probe<CacheAccess>({
        type: 'cache.access',
        core,
        kind: access.kind === 'load' ? 'load' : 'store',
        memory: address,
        bytes: count,
      });
    c.done += count;
    c.hitCycles += timing.cache.hit;
  }
  c.missing = -1;
  // The way from the CPE took the first cycle.
  const delay = Math.max(1, c.hitCycles - 1);
  out.post({ to: cpe, type: 'memory.answer', data: c.loaded, delay });
  c.access = null;
  c.loaded = nothing;
}

/** Asks memory to fill or to take back one line. */
function moveLine(
  c: DCacheContext,
  kind: 'fill' | 'writeBack',
  memory: number,
  data: Uint8Array,
  delay: number,
  out: Out,
): void {
  const { self, core, routes, timing } = c.spec.value;
  const route = routes.find(({ first, bytes }) => memory >= first && memory < first + bytes);
  invariant(route !== undefined, 'a line lies in main memory');
  out.post({
    to: route.to,
    type: 'memory.access',
    kind,
    memory,
    bytes: lineBytes,
    data,
    value: 0,
    core,
    flag: false,
    requester: self,
    answerDelay: Math.max(1, timing.gld.latency - 1),
    delay,
  });
}

/** Lets lines go: one a cycle is looked at, dirty ones are on their way to memory then (specification 8.8). */
function walk(c: DCacheContext, { first, last }: CacheWalk, out: Out): void {
  c.leaving = c.lines.addresses(first, last);
  const { dropped, dirty } = c.lines.evict(first, last);
  for (const [place, { address, data }] of dirty.entries())
    moveLine(c, 'writeBack', address, data, place + 1, out);
  c.unwritten = dirty.length;
  c.walkEnd = out.now + Math.max(1, dropped);
  if (c.unwritten === 0) tellWalked(c, out);
}

function showDrop(c: DCacheContext, memory: number, out: Out): void {
  out.probe<CacheDrop>({ type: 'cache.drop', core: c.spec.value.core, memory, bytes: lineBytes });
}

/** All lines have left, dirty ones after memory has them. */
function tellWalked(c: DCacheContext, out: Out): void {
  if (out.observed) for (const memory of c.leaving) showDrop(c, memory, out);
  c.leaving = [];
  const delay = Math.max(1, c.walkEnd - out.now);
  out.post({ to: c.spec.value.cpe, type: 'memory.answer', data: nothing, delay });
}

/**
 * The data cache of one CPE, carved out of its LDM (specification 6.9, 8.8): 64-byte lines, 4 ways, write-back, write-allocate.
 *
 * Details: its CPE waits for each answer, so there is one access or one walk at a time. Nothing keeps it coherent with other caches, with DMA or with
 * the host; flag accesses and fetch-and-add go past it.
 */
export const dCache = setup({
  types: {} as { context: DCacheContext; events: DCacheEvent; input: DCacheInput },
  guards: {
    isThrough: when((c) => c.missing < 0),
    isCrowded: when((c) => c.crowded),
    isWalked: when((c) => c.unwritten === 0),
  },
  actions: {
    take: update<'memory.access'>((c, access) => {
      c.access = access;
      c.done = 0;
      c.hitCycles = 0;
      c.loaded = access.kind === 'load' ? new Uint8Array(access.bytes) : nothing;
    }),
    lookUp: act<'memory.access' | 'memory.answer'>((c, _event, out) => lookUp(c, out)),
    writeBack: act<'memory.access' | 'memory.answer'>((c, _event, out) => {
      const { address, data } = c.lines.victim(c.missing)!;
      moveLine(c, 'writeBack', address, data, 1, out);
    }),
    askFill: act<'memory.access' | 'memory.answer'>((c, _event, out) =>
      moveLine(c, 'fill', c.missing, nothing, 1, out),
    ),
    fill: act<'memory.answer'>((c, { data }, out) => {
      const replaced = c.lines.replaced(c.missing);
      if (replaced !== undefined && out.observed) showDrop(c, replaced, out);
      c.lines.fill(c.missing, data);
    }),
    walk: act<'cache.walk'>((c, event, out) => walk(c, event, out)),
    noteWritten: act<'memory.answer'>((c, _event, out) => {
      c.unwritten--;
      if (c.unwritten === 0) tellWalked(c, out);
    }),
  },
}).createMachine({
  id: 'dCache',
  context: ({ input }) => ({
    spec: fixed(input),
    lines: new DataCache(input.bytes),
    access: null,
    done: 0,
    loaded: nothing,
    hitCycles: 0,
    missing: -1,
    crowded: false,
    leaving: [],
    unwritten: 0,
    walkEnd: 0,
  }),
  initial: 'ready',
  states: {
    ready: {
      on: {
        'memory.access': { target: 'lookup', actions: 'take' },
        'cache.walk': { target: 'walking', actions: 'walk' },
      },
    },
    lookup: {
      entry: 'lookUp',
      always: [
        { guard: 'isThrough', target: 'ready' },
        { guard: 'isCrowded', target: 'writeBack' },
        { target: 'fill' },
      ],
    },
    writeBack: {
      ...waitingFor<DCacheContext>('memory to take a dirty line'),
      entry: 'writeBack',
      on: { 'memory.answer': 'fill' },
    },
    fill: {
      ...waitingFor<DCacheContext>('memory to bring a line'),
      entry: 'askFill',
      on: { 'memory.answer': { target: 'lookup', actions: 'fill' } },
    },
    walking: {
      ...waitingFor<DCacheContext>('memory to take the dirty lines'),
      always: { guard: 'isWalked', target: 'ready' },
      on: { 'memory.answer': { actions: 'noteWritten' } },
    },
  },
});
