import { arrivalEntry } from '../event-log.ts';
import { isTail } from '../flit.ts';
import type { NetworkShown } from '../protocol.ts';
import type { Turn } from './stages.ts';

/** Takes a flit out of the network at its target (chiplet specification 5.4, accept). */
export function accept({ spec, state, sharedState, out, cycle }: Turn, flit: number): void {
  const { counters } = state;
  state.flits--;
  counters.flitsAccepted++;
  if (!isTail(flit)) return;
  const { packets, payload } = sharedState;
  const packet = payload.packetOf(flit);
  // Its words stay: pieces of an abandoned packet may be under way elsewhere.
  if (spec.loses && sharedState.isLost(packet, cycle + 1)) return;
  const delay = cycle - packets.startOf(packet);
  counters.finished++;
  sharedState.arrived++;
  counters.delaySum += delay;
  if (out.observed)
    out.probe({ type: 'packet.finished', packet, cycle, delay } satisfies NetworkShown<'packet.finished'>);
  const to = spec.listener;
  if (to !== undefined) {
    out.send(to, 0, { to, type: 'packet.delivered', packet, cycle });
    if (sharedState.log !== undefined) sharedState.log.push(arrivalEntry(packet));
  }
  payload.release(packets.firstFlitOf(packet), packets.sizeOf(packet));
}
