import type { ChipletMessage } from '../../actors/chiplet/gpu/protocol.ts';
import type { NetworkMessage } from '../../actors/chiplet/network/protocol.ts';
import { readableFrom, tickOfCycle } from '../../actors/chiplet/system/chiplet-place.ts';
import { directCarrierKit } from '../../actors/chiplet/system/direct-carrier.ts';
import {
  type NetworkInterfaceContext,
  networkInterface,
  networkInterfaceKit,
} from '../../actors/chiplet/system/network-interface.ts';
import { type Mutant, type Mutants, mutantsOf } from '../mutant.ts';
import { plantingIn, recipeOf } from '../planting.ts';
import { cycleBarrierMutants } from './cycle-barrier-mutants.ts';
import { chipletPartMutants } from './gpu-mutants.ts';
import type { SystemParts } from './system-assembly.ts';

const { act } = networkInterfaceKit;

const offer = recipeOf<NetworkInterfaceContext, ChipletMessage<'message.send'>>(networkInterface, 'offer');

/** Hands over exactly the message that came, whatever was sent before it. */
const asItComes = act<'packet.delivered'>((c, { packet, cycle }, out) => {
  const { chiplets, cycleTicks } = c.spec.value;
  const [key, number] = c.underWay[packet]!;
  const { src, dst, values } = c.pairs[key]!;
  const to = chiplets[dst.join(',')]!;
  c.delivered++;
  const readable = readableFrom(to, cycleTicks * cycle);
  out.post({ to: to.mailbox, type: 'message.arrived', src, dst, value: values[number]!, ...readable });
});

/** Hands a message over in the cycle of its sending; its packet goes through the network in vain. */
const atOnce = act<'message.send'>((c, message, out) => {
  offer(c, message, out);
  const { src, dst, value, cycle } = message;
  const { chiplets } = c.spec.value;
  const to = chiplets[dst.join(',')]!;
  const readable = readableFrom(to, tickOfCycle(chiplets[src.join(',')]!, cycle));
  c.delivered++;
  out.post({ to: to.mailbox, type: 'message.arrived', src, dst, value, ...readable });
});

const doubled = directCarrierKit.act((c, { src, dst, value, cycle }, out) => {
  const to = c.chiplets[dst.join(',')]!;
  const readable = readableFrom(to, tickOfCycle(c.chiplets[src.join(',')]!, cycle));
  for (let copy = 0; copy < 2; copy++) {
    c.delivered++;
    out.post({ to: to.mailbox, type: 'message.arrived', src, dst, value, ...readable });
  }
});

const { hearing, instead, replace } = plantingIn<SystemParts>();

/** A fault of mailboxes among those of chiplets. */
const ofMailboxes = (id: string): Mutant<SystemParts> => {
  const { sentence, mutate } = chipletPartMutants.get(id)!;
  return { sentence, mutate: (parts) => ({ ...parts, chiplet: mutate(parts.chiplet) }) };
};

/** Planted faults of systems of chiplets. */
export const systemMutants: Mutants<SystemParts> = new Map([
  ...cycleBarrierMutants,
  ...mutantsOf<SystemParts>({
    'messages-overtake': {
      sentence: 'messages are handed over as their packets arrive, not in the order of sending',
      mutate: replace('networkInterface', { actions: { handOver: asItComes } }),
    },
    'received-when-sent': {
      sentence: 'a message can be received before its packet has arrived',
      mutate: replace('networkInterface', { actions: { offer: atOnce, handOver: act(() => {}) } }),
    },
    'message-lost': {
      sentence: 'every eighth message through the network is lost',
      mutate: instead<NetworkInterfaceContext, NetworkMessage<'packet.delivered'>>(
        'networkInterface',
        'handOver',
        (handOver, c, message, out) => {
          if (message.packet % 8 !== 7) handOver(c, message, out);
        },
      ),
    },
    'value-changed': {
      sentence: 'a value changes on its way',
      mutate: hearing<ChipletMessage<'message.send'>>('networkInterface', 'offer', (message) => ({
        ...message,
        value: message.value ^ 1,
      })),
    },
    'message-doubled': {
      sentence: 'the carrier hands a message over twice',
      mutate: replace('directCarrier', { actions: { carry: doubled } }),
    },
    'values-reversed': ofMailboxes('M-01'),
    'value-put-twice': ofMailboxes('M-02'),
  }),
]);
