import type { ReadCommand, WriteCommand } from '../../../actors/chiplet/interchiplet/commands.ts';
import type { LatencyRecord } from '../../../actors/chiplet/interchiplet/latency-records.ts';
import { listOf } from '../../judging.ts';
import { bits, type InterchipletContext, judging, keyOf, rateOf, timingCoordinatorName } from './context.ts';

type End = WriteCommand | ReadCommand;

const transferOf = ({ source, target, bytes }: End): string =>
  `(${keyOf(source)}) to (${keyOf(target)}), ${bytes} bytes`;

/** Commands that a pairing rule is for. */
const isTransfer = ({ description }: End): boolean =>
  (description & (bits.barrier | bits.lock | bits.unlock)) === 0;

/** A WRITE that waits for its READ: who wrote, and when in the time of the system. */
interface Write {
  readonly from: string;
  readonly time: number;
}

interface Transfers {
  records: readonly LatencyRecord[];
  /** By transfer: ends that wait for the other one. */
  writes: Record<string, Write[]>;
  reads: Record<string, string[]>;
  /** By process, when it may go on at the earliest; the kind of its command. */
  due: Record<string, { readonly earliest: number; readonly what: string }>;
  /** By process: its transfer that has one end. */
  open: Record<string, string>;
}

/** Takes the first record that is for a command, and gives the latency until arrival. */
function takeRecord(transfers: Transfers, end: End): number {
  const { records } = transfers;
  const at = records.findIndex(
    (one) =>
      keyOf(one.source) === keyOf(end.source) &&
      keyOf(one.target) === keyOf(end.target) &&
      (one.description & 0xf0000) === (end.description & 0xf0000),
  );
  if (at < 0) return 0;
  transfers.records = records.toSpliced(at, 1);
  return records[at]!.latencies[1] ?? 0;
}

function join(transfers: Transfers, write: Write, reader: string, end: End): void {
  delete transfers.open[write.from];
  delete transfers.open[reader];
  transfers.due[reader] = { earliest: write.time + takeRecord(transfers, end), what: transferOf(end) };
}

const begun = (records: readonly LatencyRecord[]): Transfers => ({
  records,
  writes: {},
  reads: {},
  due: {},
  open: {},
});

/**
 * C3: a READ ends when its data have arrived: after its WRITE, and after the latency that was recorded for it (chiplet specification 9.5, 14).
 *
 * Details: WRITEs and READs of equal source, target and size belong together in the order in which they come; a READ that is answered has its WRITE.
 */
export const dataAreReadWhenThere = (context: InterchipletContext) =>
  judging({
    sentence: 'a transfer joins ends of one size, and its data are read when they have arrived',
    watches: ['round.load', 'records.discard', 'command.write', 'command.read', 'answer.sync'],
    judges: (event) => (event.type === 'command.write' || event.type === 'command.read') && isTransfer(event),
    begin: () => begun([]),
    see(transfers, { from, to: actor, event }, tell) {
      if (event.type === 'round.load') {
        if (actor === timingCoordinatorName) Object.assign(transfers, begun(event.records));
      } else if (event.type === 'records.discard') transfers.records = [];
      else if (event.type === 'command.write') {
        if (!isTransfer(event)) return;
        const key = transferOf(event);
        const write = { from, time: event.cycle / rateOf(context, from) };
        transfers.open[from] = key;
        const reader = listOf(transfers.reads, key).shift();
        if (reader !== undefined) join(transfers, write, reader, event);
        else listOf(transfers.writes, key).push(write);
      } else if (event.type === 'command.read') {
        const key = transferOf(event);
        transfers.open[from] = key;
        const write = listOf(transfers.writes, key).shift();
        if (write) join(transfers, write, from, event);
        else listOf(transfers.reads, key).push(from);
      } else {
        const alone = transfers.open[actor];
        if (alone !== undefined)
          tell([actor], `${actor} is told the end of a transfer ${alone} that has no other end of that size`);
        delete transfers.open[actor];
        const read = transfers.due[actor];
        delete transfers.due[actor];
        const rate = rateOf(context, actor);
        if (read && (event.cycle + 1) / rate <= read.earliest)
          tell(
            [actor],
            `${actor} has read ${read.what} at ${event.cycle / rate}, they arrive at ${read.earliest}`,
          );
      }
    },
  });
