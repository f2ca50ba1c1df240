import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import type { Transaction } from '../../actors/chiplet/network/transactions.ts';
import { counted, readPacket, type TraceFault, type TraceShape, tooManyFlits } from './trace-text.ts';

/** A request of a transaction trace. */
export interface TransactionRequest extends Transaction {
  /** The packet that carries it. */
  readonly packet: PacketOrder;
  /** Source, target as it was written, and descriptor. */
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly descriptor: number;
}

/** Bits of a descriptor: a launch is answered by its target, a barrier, lock or unlock by the controller at (0, 0). */
const launch = 1 << 16;
const controlled = (1 << 17) | (1 << 18) | (1 << 19);

/**
 * Reads a trace of transactions: `src_cycle dst_cycle src_x src_y dst_x dst_y flits desc` in each line (chiplet specification 9.7), or with addresses of
 * one number `src_cycle dst_cycle src dst flits desc`.
 *
 * Details: requests are put in the order of their time, those of one time in the order of the lines.
 */
export function readTransactions(
  text: string,
  shape: TraceShape,
): readonly TransactionRequest[] | TraceFault {
  const { coordinates } = shape;
  const requests: TransactionRequest[] = [];
  const count = 4 + 2 * coordinates;
  let flits = 0;
  for (const [index, content] of text.split('\n').entries()) {
    const fields = content.trim().split(/\s+/);
    if (fields[0] === '') continue;
    if (fields.length !== count)
      return {
        code: 'E-TRACE',
        line: index + 1,
        found: counted(fields.length),
        expected: `${count}: cycles of source and target, source, target, flits, descriptor`,
      };
    const numbers = fields.map(Number);
    const wrong = numbers.findIndex((number) => !Number.isFinite(number));
    const descriptor = numbers[count - 1]!;
    if (wrong >= 0 || !Number.isInteger(descriptor) || descriptor < 0)
      return {
        code: 'E-TRACE',
        line: index + 1,
        found: `"${fields[wrong >= 0 ? wrong : count - 1]}"`,
        expected: wrong >= 0 ? 'a number' : 'a descriptor of at least 0',
      };
    const source = numbers.slice(2, 2 + coordinates);
    const target = numbers.slice(2 + coordinates, 2 + 2 * coordinates);
    const address = (descriptor & controlled) !== 0 ? target.map(() => 0) : target;
    const packet = readPacket(
      [fields[0], ...source, ...address, fields[count - 2]].join(' '),
      index + 1,
      shape,
    );
    if ('code' in packet) return packet;
    // An acknowledgement has one flit more.
    flits += packet.size + 1;
    const overfull = tooManyFlits(flits, index + 1);
    if (overfull) return overfull;
    requests.push({
      packet,
      targetCycle: numbers[1]!,
      acknowledged: (descriptor & (launch | controlled)) !== 0,
      source,
      target,
      descriptor,
    });
  }
  return requests.sort((one, other) => one.packet.time - other.packet.time);
}
