import type { DescriptorIssue } from '../../actors/sunway/messages.ts';
import { judged, property } from '../property.ts';
import { incrementsOf, inWords, isLdm, type SunwayPropertyContext, said, tidIn } from './context.ts';

const nameOf = (tid: number, offset: number, role: string): string => `${role} ${tid} ${offset}`;

/** For every transfer exactly the increments of the table occur, each once (Sunway specification 3.3; 12, P1, P2). */
export const transfersCountOnce = property<SunwayPropertyContext>(
  'a transfer counts its end in exactly the words it names, each once',
  (run, { config }) =>
    judged(said(run, 'descriptor.issue', 'reply.increment'), (found) => {
      const open = new Map<
        number,
        { readonly issue: DescriptorIssue; readonly missing: Map<string, number> }
      >();
      return {
        see({ to, event }) {
          if (event.type === 'descriptor.issue') {
            const missing = new Map<string, number>();
            for (const { tid, offset, role } of incrementsOf(event, config.cpesPerCg)) {
              const name = nameOf(tid, offset, role);
              missing.set(name, (missing.get(name) ?? 0) + 1);
            }
            open.set(event.transfer, { issue: event, missing });
            return;
          }
          if (!isLdm(to)) return;
          const { transfer, offset, role } = event;
          const known = open.get(transfer);
          const name = nameOf(tidIn(to), offset, role);
          const left = known?.missing.get(name) ?? 0;
          if (left === 0) {
            const by = known ? inWords(known.issue) : `transfer ${transfer}`;
            found(
              [to],
              `${by} counts in the word at ${offset} as its ${role} side, which it does not name or has counted in`,
            );
          } else known!.missing.set(name, left - 1);
        },
        end() {
          if (!run.quiet) return;
          for (const [, { issue, missing }] of open) {
            const left = [...missing].filter(([, count]) => count > 0).map(([name]) => name);
            if (left.length > 0)
              found([], `${inWords(issue)} has not counted in: ${left.join(', ')} (side, CPE, word)`);
          }
        },
      };
    }),
);
