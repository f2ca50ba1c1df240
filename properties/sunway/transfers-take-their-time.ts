import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import type { TimingTable } from '../../actors/sunway/timing/timing-table.ts';
import { incrementsOf, inWords, isLdm, sunwayProperty, targetsOf, tidIn } from './context.ts';
import { timesOf } from './references/times.ts';

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

/** A transfer that has not counted in all its words. */
interface Open {
  readonly name: string;
  readonly len: number;
  /** When its descriptor came to the engine, and how long it takes at least until each side counts. */
  readonly since: number;
  readonly least: Readonly<Record<'local' | 'remote', number>>;
  /** The CPEs in whose words it has not counted, with the side. */
  readonly left: Record<string, true>;
}

interface Memory {
  readonly open: Record<number, Open>;
  /** Cycles since the first of the open ones was issued: without any there is no time. */
  now: number;
}

const sideOf = (role: string, tid: number): string => `${role} ${tid}`;

function opened(issue: DescriptorIssue, since: number, timing: TimingTable, cpes: number): Open {
  const least = (role: 'local' | 'remote') => unloaded(issue, role, timing, cpes);
  return {
    name: inWords(issue),
    len: issue.len,
    since,
    least: { local: least('local'), remote: least('remote') },
    left: Object.fromEntries(incrementsOf(issue, cpes).map(({ role, tid }) => [sideOf(role, tid), true])),
  };
}

/** No transfer ends sooner than on an idle machine (Sunway specification 9.2, 9.3; 12, P23). */
export const transfersTakeTheirTime = sunwayProperty(
  'no transfer counts its end sooner than it would on an idle machine',
  ['descriptor.issue', 'reply.increment'],
  ({ config }) => {
    const timing = timesOf(config);
    return {
      begin: (): Memory => ({ open: {}, now: 0 }),
      advance(memory: Memory, ticks) {
        if (isEmpty(memory.open)) memory.now = 0;
        else memory.now += ticks;
        return undefined;
      },
      see({ open, now }: Memory, event, to) {
        // The formulas are of this level of detail.
        if (config.fidelity !== 'tlm') return undefined;
        if (event.type === 'descriptor.issue') {
          const one = opened(event, now, timing, config.cpesPerCg);
          if (!isEmpty(one.left)) open[event.transfer] = one;
          return undefined;
        }
        const issue = open[event.transfer];
        if (issue === undefined || !isLdm(to)) return undefined;
        const { name, len, since, left } = issue;
        delete left[sideOf(event.role, tidIn(to))];
        if (isEmpty(left)) delete open[event.transfer];
        const least = issue.least[event.role];
        // The descriptor comes to its engine in the last cycle of the issue.
        const spent = now - (since + 1);
        return spent >= least - rounding
          ? undefined
          : {
              actors: [to],
              why: `${name} of ${len} bytes counts in CPE ${tidIn(to)} ${spent} cycles after its issue, expected at least ${least.toFixed(2)}`,
            };
      },
    };
  },
);

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}
