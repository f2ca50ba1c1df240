import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import { burstProtocol } from '../protocol.ts';
import type { RequestTable } from '../request-table.ts';
import type { LocalStores } from './local-stores.ts';
import type { Roster } from './roster.ts';

/** A DMA module that is told when its transfers start and end. */
export interface BurstDmaContext {
  readonly spu: number;
  /** Shared with the own SPU. */
  readonly table: RequestTable;
  /** Shared with all SPUs and DMA modules of the machine. */
  readonly stores: LocalStores;
  /** Shared with all SPUs and the controller: the own SPU may sleep until a transfer ends. */
  readonly roster: Roster;
}

const role = burstProtocol.roles.Dma;
const { update } = role.component<BurstDmaContext>();

/** A DMA module, two messages a transfer (easier after reading `../dma-module.ts`; the bytes move in `LocalStores`). */
export const burstDmaModule = setup({
  types: role.types<BurstDmaContext, BurstDmaContext>(),
  actions: {
    begin: update<'ring.grant'>((dma, { id, start, dir, ring }) => {
      dma.table.grant(id, start, dir, ring);
      const request = dma.table.entry(id)!;
      dma.stores.begin(dma.spu, request);
      dma.roster.wake(dma.spu, start + request.size);
    }),
    end: update<'ring.freed'>((dma, { id, t }) => {
      dma.stores.end(dma.spu, id, t);
    }),
  },
}).createMachine({
  id: 'burstDma',
  context: ({ input }) => ({ ...input }),
  initial: 'serving',
  states: {
    serving: {
      on: { 'ring.grant': { actions: 'begin' }, 'ring.freed': { actions: 'end' }, 'ring.queued': refused },
    },
  },
});
