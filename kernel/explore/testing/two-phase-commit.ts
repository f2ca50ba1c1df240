import { setup } from 'xstate';
import { component } from '../../kit.ts';
import type { Address } from '../../message.ts';
import { Wiring } from '../../wiring.ts';

/*
 * Two-phase commit as Gray and Lamport specify it ("Consensus on transaction commit", 2006): each step is one action of one party; messages are a set that is
 * never consumed. A clerk picks the action of each tick; an action that is not enabled changes nothing.
 */

type Action =
  | { readonly type: 'tm.commit' }
  | { readonly type: 'tm.abort' }
  | { readonly type: 'rm.prepare' }
  | { readonly type: 'rm.giveUp' }
  | { readonly type: 'deliver.prepared'; readonly from: number }
  | { readonly type: 'deliver.verdict'; readonly rm: Address; readonly verdict: 'commit' | 'abort' };
type Sent = { readonly type: 'sent'; readonly what: string };
type Received =
  | { readonly type: 'prepared'; readonly from: number }
  | { readonly type: 'verdict'; readonly verdict: string };

interface Clerk {
  readonly self: Address;
  readonly actions: readonly (Action & { readonly to: Address })[];
  chosen: number;
}
const clerkKit = component<Clerk, { type: 'step' }>();
const clerk = setup({
  types: {} as { context: Clerk; events: { type: 'step' }; input: Clerk },
  actions: {
    wait: clerkKit.post((c) => ({ to: c.self, type: 'step', delay: 1 })),
    pick: clerkKit.choose(
      'action',
      (c) => c.actions.length,
      (c, _event, pick) => {
        c.chosen = pick;
      },
    ),
    act: clerkKit.post((c) => c.actions[c.chosen]!),
    forget: clerkKit.update((c) => {
      c.chosen = 0;
    }),
  },
}).createMachine({
  id: 'clerk',
  context: ({ input }) => ({ ...input }),
  entry: 'wait',
  initial: 'working',
  states: { working: { on: { step: { actions: ['pick', 'act', 'forget', 'wait'] } } } },
});

interface Wire {
  readonly tm: Address;
  /** The messages ever sent. */
  readonly sent: Record<string, true>;
}
const wireKit = component<Wire, Action | Sent>();
const wire = setup({
  types: {} as { context: Wire; events: Action | Sent; input: Omit<Wire, 'sent'> },
  actions: {
    keep: wireKit.update<'sent'>((c, { what }) => {
      c.sent[what] = true;
    }),
    prepared: wireKit.post<'deliver.prepared'>((c, { from }) =>
      c.sent[`prepared ${from}`] ? { to: c.tm, type: 'prepared', from } : undefined,
    ),
    verdict: wireKit.post<'deliver.verdict'>((c, { rm, verdict }) =>
      c.sent[verdict] ? { to: rm, type: 'verdict', verdict } : undefined,
    ),
  },
}).createMachine({
  id: 'wire',
  context: ({ input }) => ({ tm: input.tm, sent: {} }),
  initial: 'on',
  states: {
    on: {
      on: {
        sent: { actions: 'keep' },
        'deliver.prepared': { actions: 'prepared' },
        'deliver.verdict': { actions: 'verdict' },
      },
    },
  },
});

interface Manager {
  readonly wire: Address;
  readonly count: number;
  readonly prepared: Record<number, true>;
}
const managerKit = component<Manager, Action | Received>();
const manager = setup({
  types: {} as { context: Manager; events: Action | Received; input: Omit<Manager, 'prepared'> },
  guards: { all: managerKit.when((c) => Object.keys(c.prepared).length >= c.count) },
  actions: {
    note: managerKit.update<'prepared'>((c, { from }) => {
      c.prepared[from] = true;
    }),
    sendCommit: managerKit.post((c) => ({ to: c.wire, type: 'sent', what: 'commit' })),
    sendAbort: managerKit.post((c) => ({ to: c.wire, type: 'sent', what: 'abort' })),
  },
}).createMachine({
  id: 'transactionManager',
  context: ({ input }) => ({ ...input, prepared: {} }),
  initial: 'init',
  states: {
    init: {
      on: {
        prepared: { actions: 'note' },
        'tm.commit': [{ guard: 'all', target: 'committed', actions: 'sendCommit' }, {}],
        'tm.abort': { target: 'aborted', actions: 'sendAbort' },
      },
    },
    committed: { on: { prepared: {}, 'tm.commit': {}, 'tm.abort': {} } },
    aborted: { on: { prepared: {}, 'tm.commit': {}, 'tm.abort': {} } },
  },
});

interface Resource {
  readonly wire: Address;
  readonly number: number;
}
const resourceKit = component<Resource, Action | Received>();
const resource = setup({
  types: {} as { context: Resource; events: Action | Received; input: Resource },
  guards: {
    commit: resourceKit.when<'verdict'>((_c, { verdict }) => verdict === 'commit'),
  },
  actions: {
    sendPrepared: resourceKit.post((c) => ({ to: c.wire, type: 'sent', what: `prepared ${c.number}` })),
    show: resourceKit.probe<'verdict' | 'rm.giveUp'>((c, event) => ({
      type: 'decided',
      rm: c.number,
      verdict: event.type === 'verdict' ? event.verdict : 'abort',
    })),
  },
}).createMachine({
  id: 'resourceManager',
  context: ({ input }) => ({ ...input }),
  initial: 'working',
  states: {
    working: {
      on: {
        'rm.prepare': { target: 'prepared', actions: 'sendPrepared' },
        'rm.giveUp': { target: 'aborted', actions: 'show' },
      },
    },
    prepared: { on: { 'rm.prepare': {}, 'rm.giveUp': {} } },
    committed: { on: { 'rm.prepare': {}, 'rm.giveUp': {} } },
    aborted: { on: { 'rm.prepare': {}, 'rm.giveUp': {} } },
  },
  on: {
    verdict: [
      { guard: 'commit', target: '.committed', actions: 'show' },
      { target: '.aborted', actions: 'show' },
    ],
  },
});

/** Two-phase commit with so many resource managers, 1 or more; a `hasty` transaction manager commits when all but one are prepared. */
export function twoPhaseCommit(count: number, mutant?: 'hasty'): Wiring {
  const wiring = new Wiring();
  const self = wiring.reserve('Clerk');
  const tm = wiring.reserve('Manager');
  const net = wiring.reserve('Wire');
  const rms = Array.from({ length: count }, (_, rm) => wiring.reserve(`Resource[${rm}]`));
  wiring.place(self, clerk, {
    self,
    chosen: 0,
    actions: [
      { to: tm, type: 'tm.commit' },
      { to: tm, type: 'tm.abort' },
      ...rms.flatMap((rm, from): Clerk['actions'] => [
        { to: rm, type: 'rm.prepare' },
        { to: rm, type: 'rm.giveUp' },
        { to: net, type: 'deliver.prepared', from },
        { to: net, type: 'deliver.verdict', rm, verdict: 'commit' },
        { to: net, type: 'deliver.verdict', rm, verdict: 'abort' },
      ]),
    ],
  });
  wiring.place(tm, manager, { wire: net, count: mutant === 'hasty' ? count - 1 : count });
  wiring.place(net, wire, { tm });
  rms.forEach((rm, number) => void wiring.place(rm, resource, { wire: net, number }));
  return wiring;
}
