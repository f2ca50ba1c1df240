import { flitsMax } from '../../actors/chiplet/network/flit.ts';
import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { routerAt } from '../../actors/chiplet/network/topology/topology.ts';
import type { TextFault } from './dot-graph.ts';

/** A fault of a trace, with its code (chiplet specification 13). */
export interface TraceFault extends TextFault {
  readonly code: 'E-ADDR' | 'E-TRACE';
}

/** The addresses that a trace may name. */
export interface TraceShape {
  readonly side: number;
  readonly coordinates: number;
}

/**
 * Reads a trace: a line a packet, `T`, the coordinates of source and target, and its flits (chiplet specification 3.2).
 *
 * Details: times are cycles, whole or not, and do not decrease. Empty lines are left out. Gives the first fault instead of packets.
 */
export function readTrace(text: string, shape: TraceShape): readonly PacketOrder[] | TraceFault {
  const packets: PacketOrder[] = [];
  let before = 0;
  let flits = 0;
  for (const [index, content] of text.split('\n').entries()) {
    const line = content.trim();
    if (line === '') continue;
    const packet = readPacket(line, index + 1, shape);
    if ('code' in packet) return packet;
    if (packet.time < before)
      return {
        code: 'E-TRACE',
        line: index + 1,
        found: `time ${packet.time} after ${before}`,
        expected: 'times that do not decrease; sort the trace by time',
      };
    before = packet.time;
    flits += packet.size;
    const overfull = tooManyFlits(flits, index + 1);
    if (overfull) return overfull;
    packets.push(packet);
  }
  return packets;
}

/** The fault of a trace whose packets have more flits up to this line than a network can number. */
export const tooManyFlits = (flits: number, line: number): TraceFault | undefined =>
  flits <= flitsMax
    ? undefined
    : {
        code: 'E-TRACE',
        line,
        found: `${flits} flits up to here`,
        expected: `at most ${flitsMax} in a trace`,
      };

/** How many fields a line has. */
export const counted = (fields: number): string => `${fields} field${fields === 1 ? '' : 's'}`;

/** Reads one line of a trace. */
export function readPacket(
  text: string,
  line: number,
  { side, coordinates }: TraceShape,
): PacketOrder | TraceFault {
  const fields = text.split(/\s+/);
  const refuse = (code: TraceFault['code'], found: string, expected: string): TraceFault => ({
    code,
    line,
    found,
    expected,
  });
  const count = 2 * coordinates + 2;
  if (fields.length !== count)
    return refuse(
      'E-TRACE',
      counted(fields.length),
      `${count}: time, ${coordinates} of the source, ${coordinates} of the target, flits`,
    );
  const numbers = fields.map(Number);
  const wrong = numbers.findIndex((number) => !Number.isFinite(number));
  if (wrong >= 0) return refuse('E-TRACE', `"${fields[wrong]}"`, 'a number');
  const time = numbers[0]!;
  const size = numbers[count - 1]!;
  if (time < 0) return refuse('E-TRACE', `time ${fields[0]}`, 'a time of at least 0');
  if (!Number.isInteger(size) || size < 1)
    return refuse('E-TRACE', `${fields[count - 1]} flits`, 'a whole number of flits, at least 1');
  const away = numbers.findIndex(
    (number, at) => at > 0 && at < count - 1 && !(Number.isInteger(number) && number >= 0 && number < side),
  );
  if (away >= 0)
    return refuse('E-ADDR', `coordinate ${fields[away]}`, `a whole number from 0 to ${side - 1}`);
  return {
    time,
    source: routerAt({ side }, numbers.slice(1, coordinates + 1)),
    target: routerAt({ side }, numbers.slice(coordinates + 1, count - 1)),
    size,
  };
}
