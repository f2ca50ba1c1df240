import { RandomChoices } from '../kernel/choices.ts';
import { invariant, KernelError } from '../kernel/errors.ts';
import type { Address } from '../kernel/message.ts';
import { Run } from '../kernel/run.ts';
import { givenOf } from '../scenarios/given.ts';
import { loadScenario } from '../scenarios/load.ts';

/** A run that goes wrong may never leave a tick. */
const deliveriesPerTickMax = 20_000;

/** What a run said, held against the protocol that its wiring speaks. */
export interface DeclaredRun {
  /** What was posted or shown and is not as declared, and corrupted values that would not be, in words. */
  readonly undeclared: readonly string[];
  /** Actors without a role. */
  readonly roleless: readonly string[];
  /** Types of messages, each behind the role of who got it. */
  readonly types: ReadonlySet<string>;
  /** How many values a fault could put in the place of others. */
  readonly corruptions: number;
}

/**
 * Carries out a scenario with each post, each probe and each value that a fault could put in the place of another held against the protocol of its machine: for tests that a
 * family says what it declares. `seed`: of a random order, the order of posting when absent; `until`: the last tick. Errors: those of loading.
 */
export async function declaredRun(
  file: string,
  machines: Parameters<typeof loadScenario>[1],
  { until, seed }: { readonly until: number; readonly seed?: number | undefined },
): Promise<DeclaredRun> {
  const { scenario, machine } = await loadScenario(file, machines);
  const { wiring } = machine.assemble(givenOf(scenario, seed !== undefined));
  const { speakers } = wiring;
  invariant(speakers, `${machine.name} speaks no protocol`);
  const [undeclared, roleless, types] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let corruptions = 0;
  const check = (from: string, to: Address, event: { readonly type: string }): void => {
    try {
      speakers.check(from, to, event);
    } catch (error) {
      invariant(error instanceof KernelError, String(error));
      undeclared.add(error.message);
    }
  };
  const run = new Run(wiring, {
    deliveriesPerTickMax,
    ...(seed !== undefined && { choices: new RandomChoices(seed) }),
  });
  run.messages$.subscribe(({ message, from }) => {
    const { event, to } = message;
    const role = speakers.roleAt(to);
    if (!role) roleless.add(wiring.nameAt(to));
    const type = `${role?.name} ${event.type}`;
    check(from, to, event);
    // Some values of the first message of a type.
    if (types.has(type)) return;
    types.add(type);
    const spots = speakers.spotsOf(to, event);
    for (let at = 0; at < Math.min(spots?.length ?? 0, 100); at++) {
      const spot = spots!.at(at)!;
      for (let pick = 0; pick < Math.min(spot.count, 40); pick++) {
        corruptions++;
        check(`a corrupted ${spot.at}`, to, spot.other(pick).value);
      }
    }
  });
  run.probes$.subscribe(({ actor, probe }) => {
    const found = speakers.protocol.roleOf(actor)?.undeclared('probe', probe as never);
    if (found !== undefined) undeclared.add(`${actor} ${found}`);
  });
  run.until(until);
  return { undeclared: [...undeclared], roleless: [...roleless], types, corruptions };
}

/** What random corruptions in the runs of a scenario came to. */
export interface CorruptedRuns {
  /** Messages that were changed. */
  readonly struck: number;
  /** Whether a run ended because a message went to an address where nobody is. */
  readonly lost: readonly string[];
}

/** Carries out a scenario with corrupted messages, in a random order for each seed. Errors: those of loading. */
export async function corruptedRuns(
  file: string,
  machines: Parameters<typeof loadScenario>[1],
  { until, seeds }: { readonly until: number; readonly seeds: number },
): Promise<CorruptedRuns> {
  const { scenario, machine } = await loadScenario(file, machines);
  let struck = 0;
  const lost: string[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const { wiring } = machine.assemble(givenOf(scenario, true));
    const run = new Run(wiring, {
      // What a fault sets going may never leave a tick, and random orders of many messages take long.
      deliveriesPerTickMax: 1000,
      choices: new RandomChoices(seed),
      faults: [{ kind: 'corrupt', probability: 0.1, budget: 3 }],
    });
    run.faults$.subscribe(() => struck++);
    run.until(until);
    const { failure } = run.outcome;
    if (failure?.message.includes('KRN005')) lost.push(`seed ${seed}: ${failure.message}`);
  }
  return { struck, lost };
}
