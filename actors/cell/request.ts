import { setup } from 'xstate';
import type { Address } from './address.ts';
import { cellProtocol } from './protocol.ts';

/** One request: where it belongs and how far it has come. */
export interface RequestContext {
  readonly spu: number;
  readonly id: number;
  readonly module: Address;
  size: number;
  start: number;
  dir: number;
  ring: number;
  /** Bytes moved. */
  moved: number;
}

/** What a request is made from. */
export interface RequestInput {
  readonly spu: number;
  readonly id: number;
  /** The DMA module it belongs to. */
  readonly module: Address;
}

const role = cellProtocol.roles['Dma.Request'];
const { update, post, when, probe } = role.component<RequestContext>();

/** One transfer request of a DMA module (Cell specification 15.3, request child). */
export const request = setup({
  types: role.types<RequestContext, RequestInput>(),
  guards: {
    empty: when<'request.queued'>((_r, { size }) => size === 0),
    atStart: when<'request.begin'>((r, { t }) => t === r.start),
    lastByte: when((r) => r.moved === r.size - 1),
  },
  actions: {
    open: update<'request.queued'>((r, { size }) => {
      r.size = size;
    }),
    schedule: update<'request.granted'>((r, { start, dir, ring }) => {
      r.start = start;
      r.dir = dir;
      r.ring = ring;
    }),
    count: update((r) => {
      r.moved++;
    }),
    acknowledge: post((r) => ({ to: r.module, type: 'request.noted' })),
    showStart: probe<'request.begin'>((r) => ({
      type: 'XSTART',
      t: r.start,
      spu: r.spu,
      id: r.id,
      dir: r.dir,
      ring: r.ring,
    })),
    showEnd: probe<'request.byte'>((r, { t }) => ({ type: 'XEND', t, spu: r.spu, id: r.id })),
  },
}).createMachine({
  id: 'request',
  context: ({ input }) => ({
    spu: input.spu,
    id: input.id,
    module: input.module,
    size: 0,
    start: -1,
    dir: -1,
    ring: -1,
    moved: 0,
  }),
  initial: 'new',
  states: {
    new: {
      on: {
        'request.queued': [
          { guard: 'empty', target: 'finished', actions: 'open' },
          { target: 'pending', actions: 'open' },
        ],
      },
    },
    pending: { on: { 'request.granted': { target: 'granted', actions: 'schedule' } } },
    granted: { on: { 'request.begin': { guard: 'atStart', target: 'running', actions: 'acknowledge' } } },
    running: {
      entry: 'showStart',
      exit: 'showEnd',
      on: {
        'request.byte': [
          { guard: 'lastByte', target: 'finished', actions: ['count', 'acknowledge'] },
          { actions: ['count', 'acknowledge'] },
        ],
      },
    },
    finished: {},
  },
});
