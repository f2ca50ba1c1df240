import type { InjectedFault } from '../kernel/faults.ts';
import type { Verdict } from '../kernel/outcome.ts';
import { Run } from '../kernel/run.ts';
import { givenOf } from '../scenarios/given.ts';
import { loadScenario } from '../scenarios/load.ts';

/** How a run ended. */
export interface RunEnd {
  readonly ticks: number;
  readonly verdict: Verdict;
  /** Types of the messages between its actors, in the order of their first delivery. */
  readonly types: readonly string[];
  readonly result: unknown;
}

/** Runs of one scenario in which messages come late: for tests that a machine has one clock. */
export interface DelayedRuns {
  readonly sound: RunEnd;
  /** The run in which the first message of a type comes so many ticks late, at least 1; with `to` the first to an actor of that name. */
  delayed(type: string, ticks: number, to?: string): RunEnd;
}

/** Carries out the scenario of a file, and lets its messages come late. Errors: those of loading; an Error when the sound run does not end. */
export async function delayedRuns(
  file: string,
  machines: Parameters<typeof loadScenario>[1],
): Promise<DelayedRuns> {
  const { scenario, machine } = await loadScenario(file, machines);
  const carriedOut = (faults: readonly InjectedFault[] = [], until = Number.MAX_SAFE_INTEGER): RunEnd => {
    const assembly = machine.assemble(givenOf(scenario, true));
    const run = new Run(assembly.wiring, { faults });
    const types = new Set<string>();
    run.messages$.subscribe(({ message: { event }, from, to }) => {
      if (from !== to && from !== 'world') types.add(event.type);
    });
    run.until(until);
    const { ticks, verdict } = run.outcome;
    return { ticks, verdict, types: [...types], result: assembly.result(run) };
  };
  const sound = carriedOut();
  return {
    sound,
    delayed: (type, ticks, to) =>
      carriedOut(
        [{ kind: 'delay', type, ...(to !== undefined && { to }), ticks, probability: 1, budget: 1 }],
        // One that goes on for ever has gone wrong; it is seen at this tick.
        2 * (sound.ticks + ticks),
      ),
  };
}
