import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/*
 * MESI coherence of one line of memory with a directory (Nagarajan, Sorin, Hill, Wood: "A Primer on Memory Consistency and Cache Coherence", 2020, chapter 8).
 * The directory takes up a request when the one before has been carried out, as its requester tells it; meanwhile others stay under way. So no order of messages
 * is needed. A copy that others may have, too, is given up silently.
 */

/** What caches ask a directory, and tell it. */
export type DirectoryEvent =
  | { readonly type: 'GetS' | 'GetM' | 'Unblock' }
  /** A line that is given up, by its owner. */
  | { readonly type: 'Put'; readonly value: number }
  /** A line whose owner keeps a copy, which others may have, too. */
  | { readonly type: 'WriteBack'; readonly value: number };

/** What a directory, and caches among themselves, tell a cache; `load`, `store` and `evict` are timers: what its processor wants some time. */
export type CacheEvent =
  | { readonly type: 'Data'; readonly value: number; readonly acks: number; readonly exclusive: boolean }
  | { readonly type: 'FwdGetS' | 'FwdGetM' | 'Inv'; readonly requester: Address }
  | { readonly type: 'InvAck' | 'PutAck' }
  | { readonly type: 'load' | 'store' | 'evict' };

/** A processor has read or written the line. */
export interface LineAccessed {
  readonly type: 'line.loaded' | 'line.stored';
  readonly value: number;
}

/** What a cache remembers. Where it has no copy, the value is 0. */
export interface CacheContext {
  readonly directory: Address;
  value: number;
  /** Acknowledgements that must still come; negative while those that came are more than it knows of. */
  acks: number;
}

type Sent = DirectoryEvent | CacheEvent;

/** The kit of caches, also for planted faults. */
export const cacheKit = component<CacheContext, CacheEvent, Sent>();
const { act, when } = cacheKit;

const load = (cache: CacheContext, out: Outbox<Sent>): void =>
  out.probe<LineAccessed>({ type: 'line.loaded', value: cache.value });

function store(cache: CacheContext, out: Outbox<Sent>): void {
  cache.value = 1 - cache.value;
  out.probe<LineAccessed>({ type: 'line.stored', value: cache.value });
}

const ask = (type: 'GetS' | 'GetM') =>
  act(({ directory }, { type: want }, out) => {
    out.setTimer(want);
    out.post({ to: directory, type });
  });

/** A cache with one line. Its states are those of the protocol; `IS` reads as "has nothing, has asked for a copy to share". */
export const cache = setup({
  types: {} as { context: CacheContext; events: CacheEvent; input: { readonly directory: Address } },
  guards: {
    isExclusive: when<'Data'>((_cache, { exclusive }) => exclusive),
    completes: when<'Data' | 'InvAck'>(
      ({ acks }, event) => acks + (event.type === 'Data' ? event.acks : -1) === 0,
    ),
  },
  actions: {
    begin: act((_cache, _event, out) => {
      for (const type of ['load', 'store', 'evict']) out.setTimer(type);
    }),
    later: act((_cache, { type }, out) => out.setTimer(type)),
    askToShare: ask('GetS'),
    askToWrite: ask('GetM'),
    load: act((cache, { type }, out) => {
      if (type === 'load') out.setTimer(type);
      load(cache, out);
    }),
    store: act((cache, { type }, out) => {
      if (type === 'store') out.setTimer(type);
      store(cache, out);
    }),
    put: act(({ directory, value }, _event, out) => {
      out.setTimer('evict');
      out.post({ to: directory, type: 'Put', value });
    }),
    fill: act<'Data'>((cache, { value, acks }) => {
      cache.value = value;
      cache.acks += acks;
    }),
    noteAck: act<'InvAck'>((cache) => {
      cache.acks--;
    }),
    unblock: act(({ directory: to }, _event, out) => out.post({ to, type: 'Unblock' })),
    supply: act<'FwdGetS' | 'FwdGetM'>(({ value }, { requester: to }, out) =>
      out.post({ to, type: 'Data', value, acks: 0, exclusive: false }),
    ),
    writeBack: act(({ directory: to, value }, _event, out) => out.post({ to, type: 'WriteBack', value })),
    acknowledge: act<'Inv'>((_cache, { requester: to }, out) => out.post({ to, type: 'InvAck' })),
    forget: act((cache, { type }, out) => {
      if (type === 'evict') out.setTimer(type);
      cache.value = 0;
    }),
  },
}).createMachine({
  id: 'cache',
  context: ({ input }) => ({ ...input, value: 0, acks: 0 }),
  initial: 'I',
  entry: 'begin',
  // What a state does not know cannot come in it, or waits.
  on: {
    Data: refused,
    FwdGetS: refused,
    FwdGetM: refused,
    InvAck: refused,
    PutAck: refused,
    load: { actions: 'later' },
    store: { actions: 'later' },
    evict: { actions: 'later' },
  },
  states: {
    I: {
      entry: 'forget',
      on: {
        load: { target: 'IS', actions: 'askToShare' },
        store: { target: 'IM', actions: 'askToWrite' },
        Inv: { actions: 'acknowledge' },
      },
    },
    IS: {
      on: {
        Data: [
          { guard: 'isExclusive', target: 'E', actions: ['fill', 'load', 'unblock'] },
          { target: 'S', actions: ['fill', 'load', 'unblock'] },
        ],
        Inv: { actions: 'acknowledge' },
      },
    },
    IM: {
      on: {
        Data: [
          { guard: 'completes', target: 'M', actions: ['fill', 'store', 'unblock'] },
          { actions: 'fill' },
        ],
        InvAck: [
          { guard: 'completes', target: 'M', actions: ['noteAck', 'store', 'unblock'] },
          { actions: 'noteAck' },
        ],
        Inv: { actions: 'acknowledge' },
      },
    },
    S: {
      on: {
        load: { actions: 'load' },
        store: { target: 'IM', actions: 'askToWrite' },
        evict: 'I',
        Inv: { target: 'I', actions: 'acknowledge' },
      },
    },
    E: {
      on: {
        load: { actions: 'load' },
        store: { target: 'M', actions: 'store' },
        evict: { target: 'MI', actions: 'put' },
        FwdGetS: { target: 'S', actions: ['supply', 'writeBack'] },
        FwdGetM: { target: 'I', actions: 'supply' },
        Inv: refused,
      },
    },
    M: {
      on: {
        load: { actions: 'load' },
        store: { actions: 'store' },
        evict: { target: 'MI', actions: 'put' },
        FwdGetS: { target: 'S', actions: ['supply', 'writeBack'] },
        FwdGetM: { target: 'I', actions: 'supply' },
        Inv: refused,
      },
    },
    MI: {
      on: {
        PutAck: 'I',
        FwdGetS: { target: 'II', actions: ['supply', 'writeBack'] },
        FwdGetM: { target: 'II', actions: 'supply' },
        Inv: refused,
      },
    },
    II: { entry: 'forget', on: { PutAck: 'I', Inv: { actions: 'acknowledge' } } },
  },
});

/** What a directory remembers. */
export interface DirectoryContext {
  value: number;
  /** Who has the only copy, and may change it; -1 for nobody. */
  owner: number;
  /** Who may have a copy besides, ascending. */
  sharers: Address[];
}

/** The kit of directories, also for planted faults. */
export const directoryKit = component<DirectoryContext, DirectoryEvent, CacheEvent>();
const d = directoryKit;

/** Those of a list with one more, ascending, each once. */
const withOne = (list: readonly Address[], one: Address): Address[] =>
  [...new Set([...list, one])].sort((a, b) => a - b);

/** The directory of the line: who has which copy. In `idle` it takes up requests. */
export const directory = setup({
  types: {} as { context: DirectoryContext; events: DirectoryEvent },
  guards: {
    isOwned: d.when(({ owner }) => owner !== -1),
    isShared: d.when(({ sharers }) => sharers.length > 0),
    isFromOwner: d.when(({ owner }, _event, { from }) => owner === from),
  },
  actions: {
    forwardShared: d.act((line, _event, out) => {
      const owner = line.owner as Address;
      out.post({ to: owner, type: 'FwdGetS', requester: out.from });
      line.sharers = withOne([owner], out.from);
      line.owner = -1;
    }),
    share: d.act((line, _event, out) => {
      line.sharers = withOne(line.sharers, out.from);
      out.post({ to: out.from, type: 'Data', value: line.value, acks: 0, exclusive: false });
    }),
    own: d.act((line, _event, out) => {
      line.owner = out.from;
      out.post({ to: out.from, type: 'Data', value: line.value, acks: 0, exclusive: true });
    }),
    forwardOwned: d.act((line, _event, out) => {
      out.post({ to: line.owner as Address, type: 'FwdGetM', requester: out.from });
      line.owner = out.from;
    }),
    invalidate: d.act((line, _event, out) => {
      const others = line.sharers.filter((one) => one !== out.from);
      for (const to of others) out.post({ to, type: 'Inv', requester: out.from });
      out.post({ to: out.from, type: 'Data', value: line.value, acks: others.length, exclusive: true });
      Object.assign(line, { owner: out.from, sharers: [] });
    }),
    takeBack: d.update<'Put'>((line, { value }) => {
      Object.assign(line, { value, owner: -1 });
    }),
    confirm: d.post((_line, _event, { from: to }) => ({ to, type: 'PutAck' })),
    takeCopy: d.update<'WriteBack'>((line, { value }) => {
      line.value = value;
    }),
  },
}).createMachine({
  id: 'directory',
  context: () => ({ value: 0, owner: -1, sharers: [] }),
  initial: 'idle',
  on: { GetS: refused, GetM: refused, Put: refused, Unblock: refused, WriteBack: refused },
  states: {
    idle: {
      on: {
        GetS: [
          { guard: 'isOwned', target: 'forwarding', actions: 'forwardShared' },
          { guard: 'isShared', target: 'granting', actions: 'share' },
          { target: 'granting', actions: 'own' },
        ],
        GetM: [
          { guard: 'isOwned', target: 'granting', actions: 'forwardOwned' },
          { target: 'granting', actions: 'invalidate' },
        ],
        Put: [{ guard: 'isFromOwner', actions: ['takeBack', 'confirm'] }, { actions: 'confirm' }],
      },
    },
    granting: { on: { Unblock: 'idle' } },
    forwarding: { on: { Unblock: 'copying', WriteBack: { target: 'granting', actions: 'takeCopy' } } },
    copying: { on: { WriteBack: { target: 'idle', actions: 'takeCopy' } } },
  },
});
