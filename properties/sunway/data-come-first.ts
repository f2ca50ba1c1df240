import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import { judged, property } from '../property.ts';
import { inWords, isLdm, type SunwayPropertyContext, said, targetsOf, tidIn } from './context.ts';

/** What has happened to a transfer: which CPEs have all its bytes, and whether its source was read. */
interface Progress {
  readonly issue: DescriptorIssue;
  readonly targets: readonly number[];
  /** Bytes that are in place, by CPE. */
  readonly placed: Map<number, number>;
  /** Bytes that were read from an LDM. */
  read: number;
}

/** When an increment is visible, all bytes that it announces are (Sunway specification 3.3; 12, P3). */
export const dataComeFirst = property<SunwayPropertyContext>(
  'when a word counts the end of a transfer, its bytes are in place, or have been read',
  (run, { config }) =>
    judged(said(run, 'descriptor.issue', 'ldm.read', 'ldm.write', 'reply.increment'), (found) => {
      const open = new Map<number, Progress>();
      return {
        see({ to, event }) {
          if (event.type === 'descriptor.issue') {
            const targets = targetsOf(event, config.cpesPerCg);
            open.set(event.transfer, { issue: event, targets, placed: new Map(), read: 0 });
            return;
          }
          if (!isLdm(to)) return;
          const tid = tidIn(to);
          if (event.type === 'reply.increment') {
            const one = open.get(event.transfer);
            if (one === undefined) return;
            const { issue, targets, placed, read } = one;
            const { kind, len } = issue;
            // At a receiver all bytes are there; at the side that supplies them all have been read.
            const receives = event.role === (kind === 'dmaGet' || kind === 'rmaGet' ? 'local' : 'remote');
            const there = receives ? (targets.includes(tid) ? (placed.get(tid) ?? 0) : 0) : read;
            if (there < len)
              found(
                [to],
                `${inWords(issue)} of ${len} bytes is counted when ${there} are ${receives ? 'in place' : 'read'}`,
              );
            return;
          }
          if (event.core >= 0) return;
          const one = open.get(event.tag);
          if (one === undefined) return;
          if (event.type === 'ldm.read') one.read += event.bytes;
          else one.placed.set(tid, (one.placed.get(tid) ?? 0) + event.data.length);
        },
      };
    }),
);
