import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import { judged, property } from '../property.ts';
import { groupIn, inWords, isLdm, type SunwayPropertyContext, said, targetsOf, tidIn } from './context.ts';

/** Where the bytes of a transfer go in the LDM of a receiver. */
const targetOf = ({ kind, ldm, remote }: DescriptorIssue): number =>
  kind === 'rmaPut' || kind === 'rmaBcast' ? remote : ldm;

/** A transfer writes its bytes at the receivers of its set, inside its range, and nowhere else (Sunway specification 4.2; 12, P4, P13, P19). */
export const copiesReachTheirSet = property<SunwayPropertyContext>(
  'a transfer reaches exactly its receivers, inside its range, each byte once',
  (run, { config }) =>
    judged(said(run, 'descriptor.issue', 'ldm.write', 'transfer.complete'), (found) => {
      const open = new Map<
        number,
        { readonly issue: DescriptorIssue; readonly cgn: number; readonly left: Map<number, number> }
      >();
      const over: { readonly transfer: number; readonly tick: number }[] = [];
      const close = (transfer: number): void => {
        const one = open.get(transfer);
        if (one === undefined) return;
        open.delete(transfer);
        const short = [...one.left].filter(([, bytes]) => bytes > 0).map(([tid]) => tid);
        if (short.length > 0)
          found(
            [],
            `${inWords(one.issue)} is complete, but has not all its bytes at CPE ${short.join(', ')}`,
          );
      };
      return {
        see({ tick, from, to, event }) {
          while (over.length > 0 && over[0]!.tick < tick) close(over.shift()!.transfer);
          if (event.type === 'descriptor.issue') {
            const left = new Map(targetsOf(event, config.cpesPerCg).map((tid) => [tid, event.len]));
            open.set(event.transfer, { issue: event, cgn: groupIn(from), left });
            return;
          }
          if (event.type === 'transfer.complete') {
            // Its last bytes are told in the same cycle, behind this.
            over.push({ transfer: event.transfer, tick });
            return;
          }
          if (event.core >= 0 || !isLdm(to)) return;
          const one = open.get(event.tag);
          if (one === undefined) {
            found([to], `transfer ${event.tag}, which is not under way, writes at ${event.offset}`);
            return;
          }
          const { issue, cgn, left } = one;
          const tid = tidIn(to);
          const bytes = left.get(tid);
          const first = targetOf(issue);
          const { offset, data } = event;
          if (bytes === undefined || groupIn(to) !== cgn)
            found([to], `${inWords(issue)} writes to a CPE that is not among its receivers`);
          else if (offset < first || offset + data.length > first + issue.len)
            found(
              [to],
              `${inWords(issue)} writes bytes ${offset} to ${offset + data.length - 1}, outside its range from ${first}, ${issue.len} long`,
            );
          else if (data.length > bytes) found([to], `${inWords(issue)} writes bytes again at ${offset}`);
          else left.set(tid, bytes - data.length);
        },
        end() {
          for (const { transfer } of over) close(transfer);
        },
      };
    }),
);
