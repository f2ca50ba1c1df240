import type { Outbox } from '../../../kernel/kit.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Packet, PacketArrive, PacketEnter, RouterTurn } from './packet.ts';
import { oppositeOf, portNames } from './ports.ts';
import type { OutputPort, PortCounts, RouterInput } from './router-input.ts';

/** The first packet of an input port, on its way out. */
export interface Leaving {
  /** Targets that it has not set out for. */
  rest: number;
  /** When the last flit that is leaving has left. */
  freeAt: number;
}

/** The output ports of a router. */
interface Outputs extends PortCounts {
  readonly spec: Fixed<RouterInput>;
  outputs: OutputPort[];
}

/** Sends the first packet of an input port, or the copy of it for some of its targets, out of a port, if that is free and has room. */
export function leave(
  c: Outputs,
  leaving: Leaving,
  first: Packet,
  { from, to, targets }: { readonly from: number; readonly to: number; readonly targets: number },
  out: Outbox<PacketEnter | PacketArrive | RouterTurn>,
): void {
  const { self, ends, flitsPerCycle } = c.spec.value;
  const output = c.outputs[to]!;
  const end = ends[to];
  if (!end)
    throw new Error(`found a packet for port ${portNames[to]}, expected none at the edge of the array`);
  if (output.freeAt > out.now || (end.isRouter && output.credits < first.flits)) return;
  const cycles = Math.ceil(first.flits / flitsPerCycle);
  const packet = targets === first.targets ? first : { ...first, targets };
  output.freeAt = out.now + cycles;
  output.turn = (from + 1) % portNames.length;
  leaving.rest &= ~targets;
  leaving.freeAt = Math.max(leaving.freeAt, out.now + cycles);
  c.flitsOut[to]! += first.flits;
  if (end.isRouter) {
    output.credits -= first.flits;
    const delay = Math.max(1, end.cycles);
    out.post({ to: end.to, type: 'packet.enter', port: oppositeOf[to]!, packet, delay });
  } else out.post({ to: end.to, type: 'packet.arrive', packet, delay: cycles + end.cycles });
  out.post({ to: self, type: 'router.turn', input: from, output: to, delay: cycles });
}
