import { sunwayProperty } from './context.ts';

/** By host: signals on their way to it, and those that it has not handled, each as its tid and what it says. */
interface Memory {
  readonly sent: Record<string, readonly string[]>;
  readonly queued: Record<string, readonly number[]>;
}

/** The core group of an actor by its name; the node has one host and one path a group. */
const groupOf = (name: string): string => /\[\d+\]/.exec(name)?.[0] ?? '';

/** Signals are queued without loss and handled one at a time, in the order in which they came (Sunway specification 5.6). */
export const signalsArriveOnce = sunwayProperty(
  'a signal of a CPE comes to its host once, and is handled at most once and in its turn',
  ['signal.send', 'signal.arrive', 'signal.handle'],
  () => ({
    begin: (): Memory => ({ sent: {}, queued: {} }),
    see({ sent, queued }: Memory, event, to) {
      const group = groupOf(to);
      if (event.type === 'signal.handle') {
        const [first, ...others] = queued[to] ?? [];
        queued[to] = others;
        if (first === event.tid) return undefined;
        const why = `it handles a signal of CPE ${event.tid}; ${first === undefined ? 'none has come' : `that of CPE ${first} came before`}`;
        return { actors: [to], why };
      }
      const signal = `${event.content} of CPE ${event.tid}`;
      const under = sent[group] ?? [];
      if (event.type === 'signal.send') {
        // Those of one cycle come in any order.
        sent[group] = [...under, signal].sort();
        return undefined;
      }
      queued[to] = [...(queued[to] ?? []), event.tid];
      const at = under.indexOf(signal);
      if (at < 0)
        return { actors: [to], why: `the signal ${signal} comes, which nobody sent or which came before` };
      sent[group] = under.toSpliced(at, 1);
      return undefined;
    },
    pending: ({ sent }) =>
      Object.keys(sent)
        .sort()
        .flatMap((group) =>
          sent[group]!.map((signal, k) => ({
            key: `${group} ${signal} ${k}`,
            actors: [`CoreGroup${group}`],
            why: `the signal ${signal} never comes to its host`,
          })),
        ),
  }),
);
