import type { MessageSend } from '../../actors/chiplet/gpu/messages.ts';
import type { PacketDelivered } from '../../actors/chiplet/network/messages.ts';
import { readableFrom, tickOfCycle } from '../../actors/chiplet/system/chiplet-place.ts';
import { directCarrierKit } from '../../actors/chiplet/system/direct-carrier.ts';
import {
  type NetworkInterfaceContext,
  networkInterface,
  networkInterfaceKit,
} from '../../actors/chiplet/system/network-interface.ts';
import type { Mutant, Mutants } from '../mutant.ts';
import { planted, recipeOf } from '../planting.ts';
import { cycleBarrierMutants } from './cycle-barrier-mutants.ts';
import { chipletPartMutants } from './gpu-mutants.ts';
import type { SystemParts } from './system-assembly.ts';

const mutant = (sentence: string, mutate: (parts: SystemParts) => SystemParts): Mutant<SystemParts> => ({
  sentence,
  mutate,
});

const { act } = networkInterfaceKit;

const handOver = recipeOf<NetworkInterfaceContext, PacketDelivered>(networkInterface, 'handOver');
const offer = recipeOf<NetworkInterfaceContext, MessageSend>(networkInterface, 'offer');

/** The interface with another way to do some of its actions. */
const withInterface = (parts: SystemParts, actions: object): SystemParts => ({
  ...parts,
  networkInterface: planted(parts.networkInterface, { actions }),
});

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

/** Faults of mailboxes, by their id among those of chiplets. */
const mailboxFaults = { 'M-01': 'values-reversed', 'M-02': 'value-put-twice' } as const;

/** Planted faults of systems of chiplets. */
export const systemMutants: Mutants<SystemParts> = new Map([
  ...cycleBarrierMutants,
  [
    'messages-overtake',
    mutant('messages are handed over as their packets arrive, not in the order of sending', (parts) =>
      withInterface(parts, { handOver: asItComes }),
    ),
  ],
  [
    'received-when-sent',
    mutant('a message can be received before its packet has arrived', (parts) =>
      withInterface(parts, { offer: atOnce, handOver: act(() => {}) }),
    ),
  ],
  [
    'message-lost',
    mutant('every eighth message through the network is lost', (parts) =>
      withInterface(parts, {
        handOver: act<'packet.delivered'>((c, message, out) => {
          if (message.packet % 8 !== 7) handOver(c, message, out);
        }),
      }),
    ),
  ],
  [
    'value-changed',
    mutant('a value changes on its way', (parts) =>
      withInterface(parts, {
        offer: act<'message.send'>((c, message, out) =>
          offer(c, { ...message, value: message.value ^ 1 }, out),
        ),
      }),
    ),
  ],
  [
    'message-doubled',
    mutant('the carrier hands a message over twice', (parts) => ({
      ...parts,
      directCarrier: planted(parts.directCarrier, { actions: { carry: doubled } }),
    })),
  ],
  ...[...chipletPartMutants].flatMap(([id, { sentence, mutate }]) =>
    id === 'M-01' || id === 'M-02'
      ? [
          [
            mailboxFaults[id],
            mutant(sentence, (parts) => ({ ...parts, chiplet: mutate(parts.chiplet) })),
          ] as const,
        ]
      : [],
  ),
]);
