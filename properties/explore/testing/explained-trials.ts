import { z } from 'zod';
import { RandomChoices, type Tape } from '../../../kernel/choices.ts';
import type { Observer } from '../../../kernel/explore/observer.ts';
import type { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';
import { watch } from '../../property.ts';
import { explainFailure } from '../explain.ts';
import { explanationPage } from '../explanation-page.ts';
import { Trials } from '../trial.ts';
import { toyTrials } from './toy-trials.ts';
import { refutations } from './verify-causes.ts';

/** Trials of a wiring that its properties watch. */
export function trialsOf(name: string, assemble: () => Wiring, ...observers: readonly Observer[]): Trials {
  const machine: Machine<unknown> = {
    name,
    config: z.unknown(),
    programs: z.unknown(),
    mutants: new Map(),
    asynchronous: true,
    assemble: () => ({ wiring: assemble(), result: () => null }),
    figures: () => [],
  };
  return new Trials(toyTrials(machine).scenario, machine as unknown as Machine, {
    sentences: observers.map(({ sentence }) => sentence),
    watch: (run) => watch(run, observers),
    observers: () => observers,
  });
}

/** A tape under which it fails. */
function failing(trials: Trials): Tape {
  for (let seed = 0; seed < 2000; seed++) {
    const { failure, tape } = trials.attempt(new RandomChoices(seed));
    if (failure) return tape;
  }
  throw new Error('no schedule fails');
}

/** Explains a failing run, and verifies the causes that are stated. */
export function explained(trials: Trials) {
  const explanation = explainFailure(trials, failing(trials))!;
  return {
    explanation,
    refuted: refutations(trials, explanation),
    page: explanationPage(explanation, {
      about: trials.machine.name,
      replay: 'replay',
      columns: 200,
    } as never),
  };
}
