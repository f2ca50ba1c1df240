import { incrementsOf, inWords, isLdm, sunwayProperty, tidIn } from './context.ts';

/** A transfer in words, and how often it still has to count in each word that it names. */
interface Counted {
  readonly name: string;
  readonly missing: Record<string, number>;
}

interface Memory {
  readonly issued: Record<number, Counted>;
  /** Names of those that have counted everywhere. */
  readonly counted: Record<number, string>;
}

const nameOf = (tid: number, offset: number, role: string): string => `${role} ${tid} ${offset}`;

/** For every transfer exactly the increments of the table occur, each once (Sunway specification 3.3; 12, P1, P2). */
export const transfersCountOnce = sunwayProperty(
  'a transfer counts its end in exactly the words it names, each once',
  ['descriptor.issue', 'reply.increment'],
  ({ config }) => ({
    begin: (): Memory => ({ issued: {}, counted: {} }),
    see({ issued, counted }: Memory, event, to) {
      if (event.type === 'descriptor.issue') {
        const missing: Record<string, number> = {};
        for (const { tid, offset, role } of incrementsOf(event, config.cpesPerCg)) {
          const name = nameOf(tid, offset, role);
          missing[name] = (missing[name] ?? 0) + 1;
        }
        const itsName = inWords(event);
        if (Object.keys(missing).length > 0) issued[event.transfer] = { name: itsName, missing };
        else counted[event.transfer] = itsName;
        return undefined;
      }
      if (!isLdm(to)) return undefined;
      const { transfer, offset, role } = event;
      const known = issued[transfer];
      const name = nameOf(tidIn(to), offset, role);
      const left = known?.missing[name] ?? 0;
      if (known === undefined || left === 0) {
        const by = known?.name ?? counted[transfer] ?? `transfer ${transfer}`;
        return {
          actors: [to],
          why: `${by} counts in the word at ${offset} as its ${role} side, which it does not name or has counted in`,
        };
      }
      if (left > 1) known.missing[name] = left - 1;
      else delete known.missing[name];
      if (Object.keys(known.missing).length === 0) {
        counted[transfer] = known.name;
        delete issued[transfer];
      }
      return undefined;
    },
    pending: ({ issued }: Memory) =>
      Object.keys(issued)
        .sort((a, b) => Number(a) - Number(b))
        .map((transfer) => {
          const { name, missing } = issued[Number(transfer)]!;
          const words = Object.keys(missing).join(', ');
          return { key: transfer, actors: [], why: `${name} has not counted in: ${words} (side, CPE, word)` };
        }),
  }),
);
