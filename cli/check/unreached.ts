import {
  type ExploreFigures,
  type Finding,
  goneThrough,
  type OpenSentence,
} from '../../kernel/explore/explorer.ts';

/** What sentences that nothing has shown come to, and those that `waiting` names: a finding when all states were gone through, else they are open. Nothing is found where the exploration was to stop before. */
export function leftOpen(
  { states, unexplored, cut, outside }: ExploreFigures,
  unreached: readonly string[],
  waiting: ReadonlyMap<string, string>,
  stopped: boolean,
): { readonly findings: readonly Finding[]; readonly open: readonly OpenSentence[] } {
  const waits = [...waiting].map(([sentence, why]) => ({ sentence, why }));
  if (unexplored > 0 || cut > 0 || outside > 0) {
    const open = unreached.map((sentence) => ({ sentence, why: 'no run has shown it so far' }));
    return { findings: [], open: [...waits, ...open] };
  }
  if (stopped) return { findings: [], open: waits };
  const findings = unreached.map(
    (sentence): Finding => ({
      verdict: 'violated',
      what: sentence,
      actors: [],
      why: goneThrough(states),
      place: { state: 0, steps: [] },
      unreached: true,
    }),
  );
  return { findings, open: waits };
}
