import type { DescriptorIssue, LdmWrite } from '../../actors/sunway/messages.ts';
import { together } from '../../kernel/explore/observer.ts';
import { groupIn, inWords, isLdm, sunwayProperty, targetsOf, tidIn } from './context.ts';

/** A transfer that is under way. */
interface Open {
  /** What it is, in words. */
  readonly name: string;
  readonly cgn: number;
  /** Where its bytes go in the LDM of a receiver, and how many. */
  readonly first: number;
  readonly len: number;
  /** Bytes that are not there yet, by receiver. */
  readonly left: Record<number, number>;
}

interface Memory {
  readonly open: Record<number, Open>;
  /** What was complete in this cycle, ascending: the last bytes are told in the same cycle, behind this. */
  complete: number[];
}

/** Where the bytes of a transfer go in the LDM of a receiver. */
const targetOf = ({ kind, ldm, remote }: DescriptorIssue): number =>
  kind === 'rmaPut' || kind === 'rmaBcast' ? remote : ldm;

/** A transfer writes its bytes at the receivers of its set, inside its range, and nowhere else (Sunway specification 4.2; 12, P4, P13, P19). */
export const copiesReachTheirSet = sunwayProperty(
  'a transfer reaches exactly its receivers, inside its range, each byte once',
  ['descriptor.issue', 'ldm.write', 'transfer.complete'],
  ({ config }) => ({
    begin: (): Memory => ({ open: {}, complete: [] }),
    see(memory: Memory, event, to, from) {
      if (event.type === 'descriptor.issue') {
        const { transfer, len } = event;
        const left = Object.fromEntries(targetsOf(event, config.cpesPerCg).map((tid) => [tid, len]));
        memory.open[transfer] = {
          name: inWords(event),
          cgn: groupIn(from),
          first: targetOf(event),
          len,
          left,
        };
        return undefined;
      }
      if (event.type === 'transfer.complete') {
        memory.complete.push(event.transfer);
        memory.complete.sort((a, b) => a - b);
        return undefined;
      }
      if (event.core >= 0 || !isLdm(to)) return undefined;
      const one = memory.open[event.tag];
      const why =
        one === undefined
          ? `transfer ${event.tag}, which is not under way, writes at ${event.offset}`
          : copyWrong(one, event, to);
      return why === undefined ? undefined : { actors: [to], why };
    },
    endOfTick({ open, complete }: Memory) {
      const all = complete.flatMap((transfer) => {
        const one = open[transfer];
        delete open[transfer];
        const short = one ? Object.keys(one.left).filter((tid) => one.left[Number(tid)]! > 0) : [];
        if (one === undefined || short.length === 0) return [];
        return [
          {
            actors: [],
            why: `${one.name} is complete, but has not all its bytes at CPE ${short.join(', ')}`,
          },
        ];
      });
      complete.length = 0;
      return together(all);
    },
  }),
);

/** What is wrong with bytes that a transfer writes into an LDM. */
function copyWrong(
  { name, cgn, first, len, left }: Open,
  { offset, data }: LdmWrite,
  to: string,
): string | undefined {
  const tid = tidIn(to);
  const bytes = left[tid];
  if (bytes === undefined || groupIn(to) !== cgn)
    return `${name} writes to a CPE that is not among its receivers`;
  if (offset < first || offset + data.length > first + len)
    return `${name} writes bytes ${offset} to ${offset + data.length - 1}, outside its range from ${first}, ${len} long`;
  if (data.length > bytes) return `${name} writes bytes again at ${offset}`;
  left[tid] = bytes - data.length;
  return undefined;
}
