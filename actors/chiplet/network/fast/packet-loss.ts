import { isHead, isTail, tailBit } from '../flit.ts';
import type { NetworkMessage, NetworkOutbox, NetworkShown } from '../protocol.ts';
import type { RouterState } from './router-state.ts';
import type { SharedState } from './shared-state.ts';

/*
 * A network that loses packets (chiplet specification 5.7, `-l`): a flit that arrives at a full buffer marks its packet abandoned, and all flits of
 * abandoned packets are dropped on arrival. The specification says no more; the rest is ours:
 *
 * - Routers send as if buffers had places without end, or no flit would ever meet a full one. A flit that is dropped never took a place, so that
 *   none comes back.
 * - A packet is abandoned for all routers from the cycle on that follows the one in which the first of its flits was lost, so that the order of
 *   arrivals within a cycle does not matter.
 * - What went on before the loss must not keep its channels for ever. When the tail of an abandoned packet arrives and flits of it are still
 *   in the buffer, the last of them becomes its tail; when they have gone on, the tail follows them. A dropped head leaves nothing.
 * - An abandoned packet never counts as finished, even if its remains reach its target.
 */

/** Places that a router takes for free behind each output: more than there are flits. */
export const placesWithoutEnd = 2 ** 30;

/** Whether a flit enters the buffer that it arrives at; one that does not, is gone afterwards. */
export function admits(
  state: RouterState,
  sharedState: SharedState,
  { port, channel, flit, cycle }: NetworkMessage<'flit.arrive'>,
  out: NetworkOutbox<'Router'>,
): boolean {
  const { buffers, cells, tables, counters } = state;
  const input = port * tables.channels + channel;
  const packet = sharedState.payload.packetOf(flit);
  /** The packet whose head has entered and whose tail has not, counted from 1. */
  const inside = tables.inside + input;
  const isFull = buffers.count(input) >= tables.bufferDepth;
  if (!isFull && !sharedState.isLost(packet, cycle)) {
    if (isHead(flit)) cells[inside] = packet + 1;
    if (isTail(flit)) cells[inside] = 0;
    return true;
  }
  if (isFull) sharedState.lose(packet, cycle);
  if (isTail(flit) && cells[inside] === packet + 1) {
    cells[inside] = 0;
    if (buffers.count(input) === 0) return true;
    buffers.markNewest(input, tailBit);
  }
  counters.flitsDropped++;
  if (out.observed)
    out.probe({
      type: 'flit.dropped',
      cycle,
      packet,
      flit,
      input,
      isFull,
    } satisfies NetworkShown<'flit.dropped'>);
  return false;
}
