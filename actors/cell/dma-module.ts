import { setup } from 'xstate';
import { waitingFor } from '../../kernel/outcome.ts';
import { memberOf } from '../../kernel/wiring.ts';
import { type Address, memberAddress } from './address.ts';
import { type IntakeSpec, refusalOf } from './intake.ts';
import { cellProtocol } from './protocol.ts';
import { RequestTable } from './request-table.ts';

/** Whom a DMA module knows, and its limits. */
export interface DmaInput {
  readonly spu: number;
  readonly intake: IntakeSpec;
  /** Unfinished requests allowed, null for no limit. */
  readonly maxOutstanding: number | null;
  /** In a free schedule a module serves its running transfers of a cycle in any order (Cell specification 16, SP-3). */
  readonly anyOrder: boolean;
  readonly owner: Address;
  readonly arbiter: Address;
  readonly bus: Address;
  readonly controller: Address;
  /** The memory modules by SPU number. */
  readonly memories: readonly Address[];
  /** Member 0 of this module's family of requests. */
  readonly requests: Address;
}

/** A DMA module: the table of requests, and which transfer it serves just now. */
export interface DmaContext {
  readonly spec: DmaInput;
  readonly table: RequestTable;
  /** The cycle it works in. */
  t: number;
  /** Requests granted whose end the arbiter has not told, by id: served in every cycle from their start to their end. */
  running: number[];
  /** Those not yet served in this cycle. */
  due: number[];
  /** The request it serves, -1 for none. */
  serving: number;
  /** The byte under way. */
  value: number;
}

const role = cellProtocol.roles.Dma;
const { update, post, when, choose, probe } = role.component<DmaContext>();

/** The transfer that is being served. */
const served = (dma: DmaContext) => dma.table.entry(dma.serving)!;
/** The byte of it that moves in this cycle: rule T6, byte i in cycle start + i. */
const byteIndex = (dma: DmaContext) => dma.t - served(dma).start;

/** True when a byte of the request moves in cycle t (Cell specification 8, phase D), whatever the arbiter has said of its end. */
function isDue({ table }: DmaContext, id: number, t: number): boolean {
  const { start, size } = table.entry(id)!;
  return start <= t && t < start + size;
}

/** A DMA module (Cell specification 4, 15.3): intake of requests beside the engine that moves the bytes. */
export const dmaModule = setup({
  types: role.types<DmaContext, DmaInput>(),
  guards: {
    refused: when<'dma.request'>(
      (dma, event) => refusalOf(dma.spec.intake, dma.spec.spu, event) !== undefined,
    ),
    full: when<'dma.request'>(
      (dma, { t }) => dma.spec.maxOutstanding !== null && dma.table.outstanding(t) >= dma.spec.maxOutstanding,
    ),
    empty: when<'dma.request'>((_dma, { size }) => size === 0),
    someDue: when<'dma.phase'>((dma, { t }) => dma.running.some((id) => isDue(dma, id, t))),
    startsNow: when((dma) => served(dma).start === dma.t),
    moreDue: when((dma) => dma.due.length > 0),
  },
  actions: {
    refuse: post<'dma.request'>((dma, event) => ({
      to: dma.spec.owner,
      type: 'dma.refused',
      why: refusalOf(dma.spec.intake, dma.spec.spu, event)!,
    })),
    block: post((dma) => ({ to: dma.spec.owner, type: 'dma.blocked' })),
    accept: update<'dma.request'>((dma, { kind, my, peer, addr, size, t }) => {
      dma.table.accept(kind, my, peer, addr, size, t);
    }),
    openRequest: post<'dma.request'>((dma, { size }) => ({
      to: memberOf(dma.spec.requests, dma.table.entries.length - 1),
      type: 'request.queued',
      size,
    })),
    askArbiter: post<'dma.request'>((dma, { t }) => {
      const { id, src, dst, size } = dma.table.entries.at(-1)!;
      return {
        to: dma.spec.arbiter,
        type: 'ring.request',
        initiator: dma.spec.spu,
        id,
        src,
        dst,
        size,
        issue: t,
      };
    }),
    acknowledge: post((dma) => ({
      to: dma.spec.owner,
      type: 'dma.accepted',
      id: dma.table.entries.length - 1,
    })),
    showRequest: probe<'dma.request'>((dma, { kind, my, peer, addr, size, t }) => ({
      type: 'REQ',
      t,
      spu: dma.spec.spu,
      id: dma.table.entries.length - 1,
      kind,
      my,
      peer,
      addr,
      size,
    })),
    answerStatus: post<'status.query'>((dma, { id, t }) => ({
      to: dma.spec.owner,
      type: 'status.reply',
      status: dma.table.status(id, t),
    })),
    showStatus: probe<'status.query'>((dma, { id, t }) => ({
      type: 'STATUS',
      t,
      spu: dma.spec.spu,
      id,
      ...dma.table.status(id, t),
    })),
    enterGrant: update<'ring.grant'>((dma, { id, start, dir, ring }) => {
      dma.table.grant(id, start, dir, ring);
      dma.running.push(id);
      dma.running.sort((a, b) => a - b);
    }),
    forwardGrant: post<'ring.grant'>((dma, { id, start, dir, ring }) => ({
      to: memberOf(dma.spec.requests, id),
      type: 'request.granted',
      start,
      dir,
      ring,
    })),
    retire: update<'ring.freed'>((dma, { id }) => {
      dma.running = dma.running.filter((one) => one !== id);
    }),

    beginCycle: update<'dma.phase'>((dma, { t }) => {
      dma.t = t;
      dma.due = dma.running.filter((id) => isDue(dma, id, t));
    }),
    beginRequest: post((dma) => ({
      to: memberOf(dma.spec.requests, dma.serving),
      type: 'request.begin',
      t: dma.t,
    })),
    chooseTransfer: choose(
      'transfer served next',
      (dma) => (dma.spec.anyOrder ? dma.due.length : 1),
      (dma, _event, pick) => {
        dma.serving = dma.due.splice(pick, 1)[0]!;
      },
    ),
    acquireBus: post((dma) => ({ to: dma.spec.bus, type: 'bus.acquire', spu: dma.spec.spu })),
    sendCommand: post((dma) => {
      const { kind, peer } = served(dma);
      return { to: dma.spec.bus, type: 'bus.command', spu: dma.spec.spu, dest: peer, cmd: kind, t: dma.t };
    }),
    releaseBus: post((dma) => ({ to: dma.spec.bus, type: 'bus.release', spu: dma.spec.spu, t: dma.t })),
    readByte: post((dma) => {
      const { src, from, id } = served(dma);
      return {
        to: memberAddress(dma.spec.memories, src),
        type: 'memory.access',
        op: 'read',
        addr: from + byteIndex(dma),
        value: 0,
        by: 'dma',
        spu: dma.spec.spu,
        id,
        t: dma.t,
      };
    }),
    keepByte: update<'memory.reply'>((dma, { value }) => {
      dma.value = value;
    }),
    writeByte: post((dma) => {
      const { dst, to, id } = served(dma);
      return {
        to: memberAddress(dma.spec.memories, dst),
        type: 'memory.access',
        op: 'write',
        addr: to + byteIndex(dma),
        value: dma.value,
        by: 'dma',
        spu: dma.spec.spu,
        id,
        t: dma.t,
      };
    }),
    countByte: post((dma) => ({
      to: memberOf(dma.spec.requests, dma.serving),
      type: 'request.byte',
      t: dma.t,
    })),
    endCycle: update((dma) => {
      dma.serving = -1;
    }),
    reportDone: post<'dma.phase' | 'request.noted'>((dma, event) => ({
      to: dma.spec.controller,
      type: 'dma.done',
      spu: dma.spec.spu,
      t: event.type === 'dma.phase' ? event.t : dma.t,
    })),
  },
}).createMachine({
  id: 'dma',
  context: ({ input }) => ({
    spec: input,
    table: new RequestTable(input.spu),
    t: -1,
    running: [],
    due: [],
    serving: -1,
    value: 0,
  }),
  type: 'parallel',
  states: {
    intake: {
      initial: 'ready',
      states: {
        ready: {
          on: {
            'dma.request': [
              { guard: 'refused', actions: 'refuse' },
              { guard: 'full', actions: 'block' },
              { guard: 'empty', actions: ['accept', 'showRequest', 'openRequest', 'acknowledge'] },
              { target: 'queueing', actions: ['accept', 'showRequest', 'openRequest', 'askArbiter'] },
            ],
          },
        },
        queueing: {
          ...waitingFor<DmaContext>('the arbiter to take a request', (dma) => dma.spec.arbiter),
          on: { 'ring.queued': { target: 'ready', actions: 'acknowledge' } },
        },
      },
      on: {
        'status.query': { actions: ['showStatus', 'answerStatus'] },
        'ring.grant': { actions: ['enterGrant', 'forwardGrant'] },
        'ring.freed': { actions: 'retire' },
      },
    },
    engine: {
      initial: 'waiting',
      states: {
        waiting: {
          on: {
            'dma.phase': [
              { guard: 'someDue', target: 'choosing', actions: 'beginCycle' },
              { actions: 'reportDone' },
            ],
          },
        },
        choosing: {
          entry: 'chooseTransfer',
          always: [{ guard: 'startsNow', target: 'starting' }, { target: 'acquiring' }],
        },
        starting: {
          ...waitingFor<DmaContext>('its request to note the start', (dma) =>
            memberOf(dma.spec.requests, dma.serving),
          ),
          entry: 'beginRequest',
          on: { 'request.noted': 'acquiring' },
        },
        acquiring: {
          ...waitingFor<DmaContext>('the command bus', (dma) => dma.spec.bus),
          entry: 'acquireBus',
          on: { 'bus.granted': { target: 'commanding', actions: ['sendCommand', 'releaseBus'] } },
        },
        commanding: {
          ...waitingFor<DmaContext>('the command bus to record its command', (dma) => dma.spec.bus),
          on: { 'bus.released': 'moving' },
        },
        moving: {
          initial: 'reading',
          states: {
            reading: {
              ...waitingFor<DmaContext>("a byte of the sender's memory", (dma) =>
                memberAddress(dma.spec.memories, served(dma).src),
              ),
              entry: 'readByte',
              on: { 'memory.reply': { target: 'writing', actions: 'keepByte' } },
            },
            writing: {
              ...waitingFor<DmaContext>("a byte of the receiver's memory", (dma) =>
                memberAddress(dma.spec.memories, served(dma).dst),
              ),
              entry: 'writeByte',
              on: { 'memory.reply': '#dma.engine.counting' },
            },
          },
        },
        counting: {
          ...waitingFor<DmaContext>('its request to note a byte', (dma) =>
            memberOf(dma.spec.requests, dma.serving),
          ),
          entry: 'countByte',
          on: {
            'request.noted': [
              { guard: 'moreDue', target: 'choosing' },
              { target: 'waiting', actions: ['endCycle', 'reportDone'] },
            ],
          },
        },
      },
    },
  },
});
