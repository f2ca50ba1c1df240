import type { HeapClockContext } from './heap-clock-context.ts';
import { enterLog, packetDue, tick, window } from './heap-window.ts';
import { letArrive } from './late-events.ts';
import type { NetworkOutbox } from './protocol.ts';

/*
 * What a clock that orders events by a heap does between the turns of two cycles, and at the beginning and the end (chiplet specification 5.11).
 */

type Out = NetworkOutbox<'Clock'>;

/** Goes on to the next cycle in which anything can happen. */
export function goOn(context: HeapClockContext, out: Out): void {
  const { spec, sharedState, heap } = context;
  const { self, end } = spec.value;
  const from = context.cycle;
  context.flying += enterLog(context);
  for (;;) {
    const { next, quiet } = window(context, from, out);
    if (context.endTime >= 0 && !context.endsWithTurns) {
      out.send(self, 2 * (next - from), { to: self, type: 'clock.settle', over: true });
      return;
    }
    context.cycle = next;
    const idle = quiet && context.flying === 0 && sharedState.firstFrom(0) < 0 && context.endTime < 0;
    if (!idle) {
      out.send(self, 2 * (next - from), { to: self, type: 'cycle.wanted', cycle: next });
      return;
    }
    // With nothing but turns and packets in the heap, all cycles up to the next packet are alike.
    const jump = Math.floor(Math.min(heap.size === 0 ? end : heap.firstTime, end)) - 2;
    if (heap.size <= 1 && jump > context.cycle) context.cycle = jump;
    heap.insert(context.cycle + 1, tick);
  }
}

/** Puts the first turns into the heap, and the first packet behind them; the turns come out first. */
export function beginHeap({ spec, sharedState, heap }: HeapClockContext): void {
  heap.insert(0, tick);
  if (spec.value.packets > 0) heap.insert(sharedState.packets.timeOf(0), packetDue);
  heap.take();
}

/** A packet at time 0 is planned before the first turns in the LegoSim edition, so it comes before them: they are put off by a tick. */
export function beginWithPacket(context: HeapClockContext, out: Out): void {
  const { spec, sharedState, heap } = context;
  const { self, injector, packets } = spec.value;
  context.packet = 1;
  if (packets > 1) heap.insert(sharedState.packets.timeOf(1), packetDue);
  out.send(injector, 0, { to: injector, type: 'injector.turn', cycle: 0, count: 1 });
  out.send(self, 1, { to: self, type: 'cycle.wanted', cycle: 0 });
}

export function finish(context: HeapClockContext, out: Out): void {
  const { spec, late, lastLink } = context;
  const wires = late.filter(({ link }) => link === lastLink).sort((a, b) => a.cycle - b.cycle);
  if (wires.length > 0) letArrive(spec.value, wires[0]!, out);
  for (const to of spec.value.routers) out.send(to, 1, { to, type: 'network.stop' });
}

/** True when the first packet comes before the first turns. */
export const beginsWithPacket = ({ spec: { value }, sharedState }: HeapClockContext): boolean =>
  value.leaps && value.packets > 0 && sharedState.packets.timeOf(0) === 0;
