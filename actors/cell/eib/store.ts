import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import type { ByteMemory } from '../../common/byte-memory.ts';
import { memberAddress } from '../address.ts';
import type { EibSpec } from './eib-spec.ts';
import { eibProtocol } from './protocol.ts';

/** What a store is made from. */
export interface StoreInput {
  readonly spec: EibSpec;
  readonly bytes: ByteMemory;
  /** The stores and the MFCs by element. */
  readonly stores: readonly Address[];
  readonly mfcs: readonly Address[];
}

/** A store: its bytes and what went through its ports. */
export interface StoreContext {
  readonly dataPipelineBusCycles: number;
  readonly bytes: ByteMemory;
  readonly stores: readonly Address[];
  readonly mfcs: readonly Address[];
  bytesSent: number;
  bytesReceived: number;
}

const role = eibProtocol.roles.Store;
const { update, post, probe } = role.component<StoreContext>();

/**
 * The store of an element, a local store for example, with its two ports (Cell specification 19.1, 19.2).
 *
 * Details: the bytes of a packet are read when it starts and written when all of it has come through the data pipeline.
 */
export const store = setup({
  types: role.types<StoreContext, StoreInput>(),
  actions: {
    send: post<'packet.start'>((s, { packet, beats }) => {
      const { sourceAddress, target, size } = packet;
      const bytes = s.bytes.slice(sourceAddress, sourceAddress + size);
      const delay = beats + s.dataPipelineBusCycles;
      return { to: memberAddress(s.stores, target), type: 'packet.data', packet, bytes, delay };
    }),
    countSent: update<'packet.start'>((s, { packet }) => {
      s.bytesSent += packet.size;
    }),
    write: update<'packet.data'>((s, { packet, bytes }) => {
      for (let index = 0; index < bytes.length; index++)
        s.bytes.write(packet.targetAddress + index, bytes[index]!);
      s.bytesReceived += bytes.length;
    }),
    showArrival: probe<'packet.data'>((_s, { packet }, { now: t }) => ({ type: 'ARRIVE', t, packet })),
    tell: post<'packet.data'>((s, { packet }) => ({
      to: memberAddress(s.mfcs, packet.initiator),
      type: 'packet.done',
      issuer: packet.issuer,
      command: packet.command,
    })),
  },
}).createMachine({
  id: 'eibStore',
  context: ({ input }) => ({
    dataPipelineBusCycles: input.spec.dataPipelineBusCycles,
    bytes: input.bytes,
    stores: input.stores,
    mfcs: input.mfcs,
    bytesSent: 0,
    bytesReceived: 0,
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'packet.start': { actions: ['send', 'countSent'] },
        'packet.data': { actions: ['write', 'showArrival', 'tell'] },
      },
    },
  },
});
