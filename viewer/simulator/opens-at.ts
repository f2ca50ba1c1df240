import type { Judgement, Opened, OpensAt, RunView } from '../protocol.ts';

/** A page with what the properties have found in its run. */
export function withJudgement(page: Opened, { marks, ending, difference }: Judgement): Opened {
  const { isUnjudged: _, ...carriedOut } = page.run;
  const run = { ...carriedOut, marks, ending };
  return {
    ...page,
    run,
    opensAt: opensAt(run, page.hasScene),
    ...(difference !== undefined && { difference }),
  };
}

/** Where a page of a run is opened: at its finding, with what tells most about it. */
export function opensAt({ marks, ending, actors, columns }: RunView, hasScene: boolean): OpensAt {
  const last = Math.max(columns.count - 1, ...marks.slice(-1).map(({ at }) => at));
  const finding = marks.find(({ kind }) => kind === 'finding');
  const named = [
    ...ending.cycle,
    ...(finding?.actors ?? []),
    ...ending.actors,
    ...ending.waiting.map(({ actor }) => actor),
  ].find((name) => actors.some((actor) => actor.name === name));
  const actor = named ?? actors[0]?.name;
  return {
    // What went well opens at its beginning.
    at: finding ? finding.at : ending.verdict === 'ok' ? Math.min(0, last) : last,
    panel:
      ending.verdict === 'deadlock'
        ? 'waits'
        : finding || ending.verdict !== 'ok'
          ? 'findings'
          : hasScene
            ? 'machine'
            : 'message',
    ...(actor !== undefined && { actor }),
  };
}
