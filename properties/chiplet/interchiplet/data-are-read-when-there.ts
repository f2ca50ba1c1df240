import type { ReadCommand, WriteCommand } from '../../../actors/chiplet/interchiplet/commands.ts';
import type { LatencyRecord } from '../../../actors/chiplet/interchiplet/latency-records.ts';
import { judged, property } from '../../property.ts';
import { bits, type InterchipletContext, keyOf, rateOf, saidIn, timingDeskName } from './context.ts';

type End = WriteCommand | ReadCommand;

const transferOf = ({ source, target, bytes }: End): string =>
  `(${keyOf(source)}) to (${keyOf(target)}), ${bytes} bytes`;

/** Commands that a pairing rule is for. */
const isTransfer = ({ description }: End): boolean =>
  (description & (bits.barrier | bits.lock | bits.unlock)) === 0;

/**
 * C3: a READ ends when its data have arrived: after its WRITE, and after the latency that was recorded for it (chiplet specification 9.5, 14).
 *
 * Details: WRITEs and READs of equal source, target and size belong together in the order in which they come; a READ that is answered has its WRITE.
 */
export const dataAreReadWhenThere = property<InterchipletContext>(
  'a transfer joins ends of one size, and its data are read when they have arrived',
  (run, context) =>
    judged(saidIn(run), (found) => {
      let records: LatencyRecord[] = [];
      const writes = new Map<string, { readonly from: string; readonly time: number }[]>();
      const reads = new Map<string, string[]>();
      /** By process, when it may go on at the earliest; the kind of its command. */
      const due = new Map<string, { readonly earliest: number; readonly what: string }>();
      const open = new Map<string, string>();

      const takeRecord = (end: End): number => {
        const at = records.findIndex(
          (one) =>
            keyOf(one.source) === keyOf(end.source) &&
            keyOf(one.target) === keyOf(end.target) &&
            (one.description & 0xf0000) === (end.description & 0xf0000),
        );
        const [record] = at >= 0 ? records.splice(at, 1) : [];
        return record?.latencies[1] ?? 0;
      };
      const join = (write: { readonly from: string; readonly time: number }, reader: string, end: End) => {
        const what = transferOf(end);
        open.delete(write.from);
        open.delete(reader);
        due.set(reader, { earliest: write.time + takeRecord(end), what });
      };

      return {
        see({ from, to, event }) {
          if (event.type === 'round.load' && to === timingDeskName) {
            records = [...event.records];
            for (const one of [writes, reads, due, open]) one.clear();
          } else if (event.type === 'records.discard') records = [];
          else if (event.type === 'command.write' && isTransfer(event)) {
            const key = transferOf(event);
            const write = { from, time: event.cycle / rateOf(context, from) };
            open.set(from, key);
            const reader = reads.get(key)?.shift();
            if (reader !== undefined) join(write, reader, event);
            else writes.set(key, [...(writes.get(key) ?? []), write]);
          } else if (event.type === 'command.read') {
            const key = transferOf(event);
            open.set(from, key);
            const write = writes.get(key)?.shift();
            if (write) join(write, from, event);
            else reads.set(key, [...(reads.get(key) ?? []), from]);
          } else if (event.type === 'answer.sync') {
            const alone = open.get(to);
            if (alone !== undefined)
              found([to], `${to} is told the end of a transfer ${alone} that has no other end of that size`);
            open.delete(to);
            const read = due.get(to);
            due.delete(to);
            const rate = rateOf(context, to);
            if (read && (event.cycle + 1) / rate <= read.earliest)
              found(
                [to],
                `${to} has read ${read.what} at ${event.cycle / rate}, they arrive at ${read.earliest}`,
              );
          }
        },
      };
    }),
);
