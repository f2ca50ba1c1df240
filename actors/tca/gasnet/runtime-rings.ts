import { inSubTicks } from '../parameters.ts';
import { tcaProtocol } from '../protocol.ts';
import { replies } from './layout.ts';
import { carryOut } from './local-work.ts';
import { type RuntimeContext, type RuntimeOut, turnIn } from './runtime-context.ts';
import { dataJob, note, valueAt, valueJob, workOf } from './runtime-packets.ts';

const role = tcaProtocol.roles.Gasnet;
const { update, act } = role.component<RuntimeContext>();

/** The first ring of replies with a packet, by its place among those that have one; -1 without one. */
export const firstReply = (c: RuntimeContext): number => c.ready.findIndex(({ ring }) => ring === replies);

function takeFrom(c: RuntimeContext, place: number, out: RuntimeOut): void {
  const [{ peer, ring }] = c.ready.splice(place, 1) as [RuntimeContext['ready'][number]];
  out.post({ to: c.spec.receivers[peer]![ring]!, type: 'packet.take' });
}

function freeSlot(c: RuntimeContext, { peer, ring }: { peer: number; ring: 0 | 1 }, out: RuntimeOut): void {
  out.post({ to: c.spec.receivers[peer]![ring]!, type: 'packet.done' });
}

/** What the runtime does about rings: note what they tell, take a packet, do what it needs, free its slot (TCA specification 11). */
export const ringActions = {
  noteReady: update<'packet.ready'>((c, { peer, ring }) => {
    c.ready.push({ peer, ring });
  }),
  noteFreed: update<'tx.freed'>((c, { peer, ring, freed }) => {
    c.freed[peer]![ring] = Math.max(c.freed[peer]![ring]!, freed);
  }),
  noteSelf: update<'self.notified'>((c, { channel, count }) => {
    c.selfSeen[channel] = Math.max(c.selfSeen[channel]!, count);
  }),
  see: act((c, _event, out) => {
    turnIn(inSubTicks(c.spec.parameters.pollDetect), out);
  }),
  takePacket: act((c, _event, out) => {
    c.budget--;
    takeFrom(c, c.attached ? 0 : firstReply(c), out);
  }),
  takeReply: act((c, _event, out) => takeFrom(c, firstReply(c), out)),
  hold: update<'packet.content'>((c, { peer, ring, header, payload, slot }) => {
    c.parcel = { peer, ring, header, payload, slot };
    c.delivery = null;
  }),
  holdDrained: update<'packet.content'>((c, { peer, ring, header, payload, slot }) => {
    c.drained = { peer, ring, header, payload, slot };
  }),
  // The flags of further channels are looked at one after the other.
  count: act((c, _event, out) => {
    const gap = c.spec.parameters.pollGapPerChannel;
    turnIn(inSubTicks(gap * (c.parcel!.header.total - 1)), out);
  }),
  notePacket: update((c) => {
    note(c, c.parcel!);
  }),
  noteDrained: update((c) => note(c, c.drained!)),
  copyPacket: act((c, _event, out) => carryOut(c, workOf(c.parcel!), out)),
  copyDrained: act((c, _event, out) => carryOut(c, workOf(c.drained!), out)),
  loadValue: act((c, _event, out) => {
    const { addr, bytes } = valueAt(c.parcel!);
    carryOut(c, { work: 'load', src: addr, bytes }, out);
  }),
  sendValue: act<'memory.loaded'>((c, { data }, out) => {
    out.post({ to: c.spec.planner, type: 'transfer.begin', job: valueJob(c.parcel!, data) });
  }),
  sendData: act((c, _event, out) =>
    out.post({ to: c.spec.planner, type: 'transfer.begin', job: dataJob(c, c.parcel!) }),
  ),
  freePacket: act((c, _event, out) => {
    freeSlot(c, c.parcel!, out);
  }),
  freeDrained: act((c, _event, out) => {
    freeSlot(c, c.drained!, out);
  }),
};
