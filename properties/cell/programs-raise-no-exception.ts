import type { Observer } from '../../kernel/explore/observer.ts';
import type { CellProbe } from './context.ts';

/**
 * An exception of a program is the worst class of findings (Cell specification 13), so a run with one is not ok; its other findings are not lost, since the run
 * goes on (Cell specification 11). Judged in runs and by the exhaustive checker.
 */
export const programsRaiseNoException: Observer<object> = {
  sentence: 'no program raises an exception',
  watches: ['EXC'],
  begin: () => ({}),
  exchange: () => ({}),
  see: (_nothing, observation) =>
    observation.kind === 'probe'
      ? { actors: [observation.actor], why: (observation.probe as CellProbe<'EXC'>).why }
      : undefined,
};
