import { isReached } from '../../actors/tca/gasnet/completion.ts';
import { boardWord } from '../../actors/tca/gasnet/layout.ts';
import type { PacketRxContext } from '../../actors/tca/gasnet/packet-rx.ts';
import type { PacketTxContext } from '../../actors/tca/gasnet/packet-tx.ts';
import type { RuntimeContext } from '../../actors/tca/gasnet/runtime-context.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import { mutantsOf } from '../mutant.ts';
import { plantingIn } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const sender = component<PacketTxContext, TcaMessage<'tx.reserve'>>();
const receiver = component<PacketRxContext, TcaMessage<'packet.done'>>();
const node = component<RuntimeContext, { type: 'gasnet.call' }>();
const { instead, replace, saying } = plantingIn<TcaParts>();

const isWord = (data: Uint8Array | undefined): boolean => data?.length === 8;

/** Words before everything else of a chain. */
function wordsFirst(message: Post): Post {
  if (message.type !== 'dmac.doorbell') return message;
  const { chain, ...rest } = message as Post & TcaMessage<'dmac.doorbell'>;
  const words = chain.filter(({ data }) => isWord(data));
  return { ...rest, chain: [...words, ...chain.filter(({ data }) => !isWord(data))] } as Post;
}

/** An update message that tells of one packet less. */
function oneLess(message: Post, done: number): Post {
  if (message.type !== 'pio.store') return message;
  const { stores, ...rest } = message as Post & TcaMessage<'pio.store'>;
  return { ...rest, stores: stores.map((one) => ({ ...one, data: boardWord(done - 1) })) } as Post;
}

/** Planted faults of the runtime of GASNet, by id (TCA specification 19, 21 A7). */
export const gasnetMutants = mutantsOf<TcaParts>({
  'T-17': {
    sentence: 'the update message goes ahead of the packet that it announces',
    mutate: saying('planner', 'ring', wordsFirst),
  },
  'T-18': {
    sentence: 'a put is complete when its first channel has notified',
    mutate: replace('packetRx', { guards: { complete: receiver.when(() => true) } }),
  },
  'T-19': {
    sentence: 'a slot is filled before its update message has come',
    mutate: replace('packetTx', { guards: { room: sender.when(() => true) } }),
  },
  'T-20': {
    sentence: 'the handler of a message from another node runs twice',
    mutate: instead<RuntimeContext>('runtime', 'endHandler', (endHandler, c, event, out) => {
      const { delivery, parcel } = c;
      endHandler(c, event, out);
      if (delivery && parcel) c.parked.push(delivery);
    }),
  },
  'T-21': {
    sentence: 'the update message for the last packet is lost',
    mutate: saying<PacketRxContext>('packetRx', 'announce', (message, c) => oneLess(message, c.done)),
  },
  'T-22': {
    sentence: 'a barrier opens after its first round',
    mutate: replace('runtime', {
      guards: {
        reached: node.when((c) => {
          const early = c.goal.goal === 'barrier' && c.barrier.round >= 1;
          return c.blocked.length === 0 && (early || isReached(c));
        }),
      },
    }),
  },
});
