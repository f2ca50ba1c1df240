import { setup } from 'xstate';
import { type Outbox, refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import type { MessageOf } from '../../../kernel/protocol/protocol.ts';
import type { EibSpec } from './eib-spec.ts';
import { type GivenCommand, MfcQueue } from './mfc-queue.ts';
import { eibProtocol } from './protocol.ts';

/** What an MFC is made from. */
export interface MfcInput {
  readonly spec: EibSpec;
  /** Number of the element. */
  readonly element: number;
  readonly bus: Address;
}

/** An MFC: its commands and whom it knows. */
export interface MfcContext {
  readonly spec: EibSpec;
  readonly element: number;
  readonly bus: Address;
  readonly queue: MfcQueue;
}

const role = eibProtocol.roles.Mfc;
const { update, post, when, act } = role.component<MfcContext>();

function welcome(mfc: MfcContext, given: GivenCommand, out: Outbox): void {
  out.post({ to: given.from, type: 'mfc.accepted', number: given.number } as never);
  if (!out.observed) return;
  const { issuer, number, issued, command } = given;
  let bytes = 0;
  for (const { size } of command.pieces) bytes += size;
  const t = out.now;
  out.probe({ type: 'ACCEPT', t, initiator: mfc.element, issuer, command: number, bytes, issued } as never);
}

const givenBy = (
  { issuer, number, command, issued }: MessageOf<typeof eibProtocol, 'mfc.command'>,
  from: Address,
): GivenCommand => ({
  issuer,
  number,
  command,
  issued,
  from,
});

/** Intake is the same in every state: a command gets a place or waits for one. */
const intake = [{ guard: 'full', actions: 'park' }, { actions: 'accept' }] as const;

/** The memory flow controller of an element: takes commands, prepares them one by one, cuts them into packets (Cell specification 19.1, 19.2). */
export const mfc = setup({
  types: role.types<MfcContext, MfcInput>(),
  guards: {
    full: when<'mfc.command'>((m, { issuer }) => !m.queue.hasPlaceFor(issuer)),
    queued: when((m) => m.queue.hasQueued),
    outstanding: when((m) => m.queue.openCount > 0),
    cutUp: when((m) => m.queue.commandIsCut),
    morePieces: when((m) => m.queue.pieceIsCut),
  },
  actions: {
    park: update<'mfc.command'>((m, event, { from }) => {
      m.queue.park(givenBy(event, from));
    }),
    accept: act<'mfc.command'>((m, event, out) => {
      const given = givenBy(event, out.from);
      m.queue.accept(given);
      welcome(m as MfcContext, given, out);
    }),
    await: act<'mfc.await'>((m, event, out) => {
      m.queue.await(event.tags, out.from);
      if (m.queue.endAwait() !== undefined) out.post({ to: out.from, type: 'mfc.settled' } as never);
    }),
    begin: update((m) => {
      m.queue.begin();
    }),
    nextPiece: update((m) => {
      m.queue.nextPiece();
    }),
    prepare: post((m, _event, { self }) => {
      const { setupBusCycles, listFetchBusCycles } = m.spec;
      const delay = setupBusCycles + (m.queue.current!.command.list ? listFetchBusCycles : 0);
      return { to: self, type: 'mfc.ready', delay };
    }),
    fetchPiece: post((m, _event, { self }) => {
      const delay = m.spec.listFetchBusCycles;
      return { to: self, type: 'mfc.ready', delay };
    }),
    offerPackets: act((m, _event, out) => {
      for (let packet = m.queue.cutPacket(); packet !== undefined; packet = m.queue.cutPacket())
        out.post({ to: m.bus, type: 'command.request', packet } as never);
    }),
    settle: act<'packet.done'>((m, { issuer, command }, out) => {
      const t = out.now;
      if (m.queue.settle(issuer, command, t) === undefined) return;
      if (out.observed) out.probe({ type: 'COMPLETE', t, initiator: m.element, issuer, command } as never);
      for (let given = m.queue.acceptParked(); given !== undefined; given = m.queue.acceptParked())
        welcome(m as MfcContext, given, out);
      const awaiting = m.queue.endAwait();
      if (awaiting !== undefined) out.post({ to: awaiting, type: 'mfc.settled' } as never);
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
      ...waitingFor<MfcContext>('a command credit', (m) => m.bus),
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
      ...waitingFor<MfcContext>('packets under way', (m) => m.bus),
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
