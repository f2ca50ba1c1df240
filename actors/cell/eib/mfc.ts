import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import type { EibSpec } from './eib-spec.ts';
import type { MfcAwait, MfcCommand, MfcReady, PacketDone } from './messages.ts';
import { MfcQueue } from './mfc-queue.ts';

/** What an MFC is made from. */
export interface MfcInput {
  readonly spec: EibSpec;
  /** Number of the element. */
  readonly element: number;
  readonly self: Address;
  readonly bus: Address;
}

/** An MFC: its commands and whom it knows. */
export interface MfcContext {
  readonly spec: EibSpec;
  readonly element: number;
  readonly self: Address;
  readonly bus: Address;
  readonly queue: MfcQueue;
}

type MfcEvent = MfcCommand | MfcAwait | MfcReady | PacketDone;

const { update, post, when, act } = component<MfcContext, MfcEvent>();

function welcome(mfc: MfcContext, given: MfcCommand, t: number, out: Outbox): void {
  out.post({ to: given.reply, type: 'mfc.accepted', number: given.number, t } as never);
  if (!out.observed) return;
  const { issuer, number, issued, command } = given;
  let bytes = 0;
  for (const { size } of command.pieces) bytes += size;
  out.probe({ type: 'ACCEPT', t, initiator: mfc.element, issuer, command: number, bytes, issued } as never);
}

/** Intake is the same in every state: a command gets a place or waits for one. */
const intake = [{ guard: 'full', actions: 'park' }, { actions: 'accept' }] as const;

/** The memory flow controller of an element: takes commands, prepares them one by one, cuts them into packets (Cell specification 19.1, 19.2). */
export const mfc = setup({
  types: {} as { context: MfcContext; events: MfcEvent; input: MfcInput },
  guards: {
    full: when<'mfc.command'>((m, { issuer }) => !m.queue.hasPlaceFor(issuer)),
    queued: when((m) => m.queue.hasQueued),
    outstanding: when((m) => m.queue.openCount > 0),
    cutUp: when((m) => m.queue.commandIsCut),
    morePieces: when((m) => m.queue.pieceIsCut),
  },
  actions: {
    park: update<'mfc.command'>((m, event) => {
      m.queue.park(event);
    }),
    accept: act<'mfc.command'>((m, event, out) => {
      m.queue.accept(event);
      welcome(m as MfcContext, event, event.t, out);
    }),
    await: act<'mfc.await'>((m, event, out) => {
      m.queue.await(event);
      if (m.queue.endAwait()) out.post({ to: event.reply, type: 'mfc.settled', t: event.t } as never);
    }),
    begin: update((m) => {
      m.queue.begin();
    }),
    nextPiece: update((m) => {
      m.queue.nextPiece();
    }),
    prepare: post((m, { t }) => {
      const { setupBusCycles, listFetchBusCycles } = m.spec;
      const delay = setupBusCycles + (m.queue.current!.command.list ? listFetchBusCycles : 0);
      return { to: m.self, type: 'mfc.ready', t: t + delay, delay };
    }),
    fetchPiece: post((m, { t }) => {
      const delay = m.spec.listFetchBusCycles;
      return { to: m.self, type: 'mfc.ready', t: t + delay, delay };
    }),
    offerPackets: act((m, { t }, out) => {
      for (let packet = m.queue.cutPacket(); packet !== undefined; packet = m.queue.cutPacket())
        out.post({ to: m.bus, type: 'command.request', packet, t } as never);
    }),
    settle: act<'packet.done'>((m, { issuer, command, t }, out) => {
      if (m.queue.settle(issuer, command, t) === undefined) return;
      if (out.observed) out.probe({ type: 'COMPLETE', t, initiator: m.element, issuer, command } as never);
      for (let given = m.queue.acceptParked(); given !== undefined; given = m.queue.acceptParked())
        welcome(m as MfcContext, given, t, out);
      const awaited = m.queue.endAwait();
      if (awaited) out.post({ to: awaited.reply, type: 'mfc.settled', t } as never);
    }),
  },
}).createMachine({
  id: 'eibMfc',
  context: ({ input }) => ({ ...input, queue: new MfcQueue(input.spec, input.element) }),
  initial: 'idle',
  on: { 'mfc.await': { actions: 'await' } },
  states: {
    idle: {
      on: {
        'mfc.command': { target: 'choosing', actions: 'accept' },
        'mfc.ready': refused,
        'packet.done': refused,
      },
    },
    choosing: {
      always: [
        { guard: 'queued', target: 'preparing', actions: ['begin', 'prepare'] },
        { guard: 'outstanding', target: 'draining' },
        { target: 'idle' },
      ],
    },
    preparing: {
      on: { 'mfc.command': intake, 'packet.done': { actions: 'settle' }, 'mfc.ready': 'cutting' },
    },
    cutting: {
      tags: ['waiting'],
      meta: waitsFor<MfcContext>('a command credit', (m) => m.bus),
      entry: 'offerPackets',
      always: [
        { guard: 'cutUp', target: 'choosing' },
        { guard: 'morePieces', target: 'preparing', actions: ['nextPiece', 'fetchPiece'] },
      ],
      on: {
        'mfc.command': intake,
        'packet.done': { target: 'cutting', reenter: true, actions: 'settle' },
        'mfc.ready': refused,
      },
    },
    draining: {
      tags: ['waiting'],
      meta: waitsFor<MfcContext>('packets under way', (m) => m.bus),
      on: {
        'mfc.command': [
          { guard: 'full', actions: 'park' },
          { target: 'choosing', actions: 'accept' },
        ],
        'packet.done': { target: 'choosing', actions: 'settle' },
        'mfc.ready': refused,
      },
    },
  },
});
