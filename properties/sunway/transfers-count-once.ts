import { foundTogether, incrementsOf, inWords, isLdm, sunwayProperty, tidIn } from './context.ts';

/** A transfer in words, and how often it still has to count in each word that it names. */
interface Counted {
  readonly name: string;
  readonly missing: Record<string, number>;
}

interface Memory {
  readonly issued: Record<number, Counted>;
}

const nameOf = (tid: number, offset: number, role: string): string => `${role} ${tid} ${offset}`;

/** For every transfer exactly the increments of the table occur, each once (Sunway specification 3.3; 12, P1, P2). */
export const transfersCountOnce = sunwayProperty(
  'a transfer counts its end in exactly the words it names, each once',
  ['descriptor.issue', 'reply.increment'],
  ({ config }) => ({
    begin: (): Memory => ({ issued: {} }),
    see({ issued }: Memory, event, to) {
      if (event.type === 'descriptor.issue') {
        const missing: Record<string, number> = {};
        for (const { tid, offset, role } of incrementsOf(event, config.cpesPerCg)) {
          const name = nameOf(tid, offset, role);
          missing[name] = (missing[name] ?? 0) + 1;
        }
        issued[event.transfer] = { name: inWords(event), missing };
        return undefined;
      }
      if (!isLdm(to)) return undefined;
      const { transfer, offset, role } = event;
      const known = issued[transfer];
      const name = nameOf(tidIn(to), offset, role);
      const left = known?.missing[name] ?? 0;
      if (known === undefined || left === 0) {
        const by = known?.name ?? `transfer ${transfer}`;
        return {
          actors: [to],
          why: `${by} counts in the word at ${offset} as its ${role} side, which it does not name or has counted in`,
        };
      }
      if (left === 1) delete known.missing[name];
      else known.missing[name] = left - 1;
      return undefined;
    },
    atRest: ({ issued }: Memory) =>
      foundTogether(
        Object.keys(issued)
          .map(Number)
          .sort((a, b) => a - b)
          .map((transfer) => issued[transfer]!)
          .filter(({ missing }) => Object.keys(missing).length > 0)
          .map(({ name, missing }) => ({
            actors: [],
            why: `${name} has not counted in: ${Object.keys(missing).join(', ')} (side, CPE, word)`,
          })),
      ),
  }),
);
