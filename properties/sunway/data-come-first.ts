import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import { inWords, isLdm, sunwayProperty, targetsOf, tidIn } from './context.ts';

/** What has happened to a transfer: which CPEs have its bytes, and whether its source was read. */
interface Progress {
  /** What it is, in words, and how many bytes it has. */
  readonly name: string;
  readonly len: number;
  /** The side at which its bytes are put in place; at the other one they are read. */
  readonly receiving: 'local' | 'remote';
  /** Bytes that are in place, by CPE of its set. */
  readonly placed: Record<number, number>;
  /** Bytes that were read from an LDM. */
  read: number;
}

interface Memory {
  readonly issued: Record<number, Progress>;
}

const progressOf = (issue: DescriptorIssue, cpes: number): Progress => ({
  name: inWords(issue),
  len: issue.len,
  receiving: issue.kind === 'dmaGet' || issue.kind === 'rmaGet' ? 'local' : 'remote',
  placed: Object.fromEntries(targetsOf(issue, cpes).map((tid) => [tid, 0])),
  read: 0,
});

/** When an increment is visible, all bytes that it announces are (Sunway specification 3.3; 12, P3). */
export const dataComeFirst = sunwayProperty(
  'when a word counts the end of a transfer, its bytes are in place, or have been read',
  ['descriptor.issue', 'ldm.read', 'ldm.write', 'reply.increment'],
  ({ config }) => ({
    begin: (): Memory => ({ issued: {} }),
    see({ issued }: Memory, event, to) {
      if (event.type === 'descriptor.issue') {
        issued[event.transfer] = progressOf(event, config.cpesPerCg);
        return undefined;
      }
      if (!isLdm(to)) return undefined;
      const tid = tidIn(to);
      if (event.type === 'reply.increment') {
        const one = issued[event.transfer];
        if (one === undefined) return undefined;
        const { name, len, receiving, placed, read } = one;
        // At a receiver all bytes are there; at the side that supplies them all have been read.
        const receives = event.role === receiving;
        const there = receives ? (placed[tid] ?? 0) : read;
        return there >= len
          ? undefined
          : {
              actors: [to],
              why: `${name} of ${len} bytes is counted when ${there} are ${receives ? 'in place' : 'read'}`,
            };
      }
      const one = event.core < 0 ? issued[event.tag] : undefined;
      if (one === undefined) return undefined;
      if (event.type === 'ldm.read') one.read += event.bytes;
      else if (tid in one.placed) one.placed[tid]! += event.data.length;
      return undefined;
    },
  }),
);
