import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import type { TimingTable } from '../../actors/sunway/timing/timing-table.ts';
import { timingOf } from '../../machines/sunway/timing.ts';
import { judged, property } from '../property.ts';
import { inWords, isLdm, type SunwayPropertyContext, said, targetsOf, tidIn } from './context.ts';

const blockBytes = 128;
/** A cycle is counted in thousandths, so that a sum of fractions may be off by less than this. */
const rounding = 0.01;

/** The first and last byte of each contiguous piece in main memory (Sunway specification 4.1). */
function* piecesOf({ memory, len, bsize, stride }: DescriptorIssue): Generator<readonly [number, number]> {
  const bytes = stride === 0 ? len : bsize;
  for (let k = 0; k < len / bytes; k++) {
    const first = memory + k * (bytes + stride);
    yield [first, first + bytes];
  }
}

/** Blocks touched, and units of those that are overwritten in part (9.1). */
function blocksOf(issue: DescriptorIssue): { readonly blocks: number; readonly partialUnits: number } {
  let [blocks, partialUnits] = [0, 0];
  for (const [first, end] of piecesOf(issue))
    for (let at = first - (first % blockBytes); at < end; at += blockBytes) {
      const [from, to] = [Math.max(first, at), Math.min(end, at + blockBytes)];
      blocks++;
      if (to - from === blockBytes) continue;
      const halves = Math.floor((to - 1 - at) / 64) - Math.floor((from - at) / 64) + 1;
      partialUnits += from % 8 === 0 && to % 8 === 0 ? 1 : halves;
    }
  return { blocks, partialUnits };
}

const hops = (from: number, to: number, { rma }: TimingTable): number =>
  rma.hopX * Math.abs(Math.floor((from % 8) / 2) - Math.floor((to % 8) / 2)) +
  rma.hopY * Math.abs(Math.floor(from / 16) - Math.floor(to / 16));

/** Cycles from the end of the issue to the count in a word, on an idle machine (9.2, 9.3). */
function unloaded(
  issue: DescriptorIssue,
  role: 'local' | 'remote',
  timing: TimingTable,
  cpes: number,
): number {
  const { kind, len, tid, remoteTid } = issue;
  const { dma, rma } = timing;
  const stream = len / rma.bytesPerCycle;
  switch (kind) {
    case 'dmaGet':
    case 'dmaBcast': {
      const { blocks: n } = blocksOf(issue);
      return (
        dma.getLatency + dma.getRamp * Math.min(n - 1, 7) + dma.getStep * Math.max(0, n - 8) - dma.issueCost
      );
    }
    case 'dmaPut': {
      const { blocks, partialUnits } = blocksOf(issue);
      const penalty = partialUnits >= 2 ? dma.putPartialPenalty : 0;
      return dma.putLatency + dma.putStep * blocks + penalty - dma.issueCost;
    }
    case 'rmaGet': {
      const way = hops(tid, remoteTid, timing);
      const read = way + rma.getTurnaround + stream;
      return role === 'remote' ? read : read + rma.arriveBase + way;
    }
    case 'rmaPut':
    case 'rmaBcast': {
      if (role === 'local') return stream + rma.localTail;
      const ways = targetsOf(issue, cpes).map((one) => hops(tid, one, timing));
      return stream + rma.arriveBase + Math.max(0, ...ways);
    }
    default:
      return 0;
  }
}

/** No transfer ends sooner than on an idle machine (Sunway specification 9.2, 9.3; 12, P23). */
export const transfersTakeTheirTime = property<SunwayPropertyContext>(
  'no transfer counts its end sooner than it would on an idle machine',
  (run, { config }) =>
    judged(said(run, 'descriptor.issue', 'reply.increment'), (found) => {
      const timing = timingOf(config);
      const issued = new Map<number, DescriptorIssue>();
      return {
        see({ tick, to, event }) {
          // The formulas are of this level of detail.
          if (config.fidelity !== 'tlm') return;
          if (event.type === 'descriptor.issue') {
            issued.set(event.transfer, event);
            return;
          }
          const issue = issued.get(event.transfer);
          if (issue === undefined || !isLdm(to)) return;
          const least = unloaded(issue, event.role, timing, config.cpesPerCg);
          // The descriptor comes to its engine in the last cycle of the issue.
          const spent = tick - (issue.at + 1);
          if (spent < least - rounding)
            found(
              [to],
              `${inWords(issue)} of ${issue.len} bytes counts in CPE ${tidIn(to)} ${spent} cycles after its issue, expected at least ${least.toFixed(2)}`,
            );
        },
      };
    }),
);
