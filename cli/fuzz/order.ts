import { Campaign, type CampaignPlan } from '../../properties/explore/campaign.ts';
import { GeneratedSubject, givenSubject, type Subject } from '../../properties/explore/subject.ts';
import { generationOf } from '../../properties/generated-subject.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { knownMachines, machineNamed } from '../known-machines.ts';
import { UsageError } from '../usage-error.ts';
import type { WrittenFault } from './fault-option.ts';

/** A campaign in words that another thread can be told: both threads make the same campaign of it. */
export interface CampaignOrder {
  readonly subject: GivenOrder | GeneratedOrder;
  readonly plan: CampaignPlan;
}

/** One scenario, by its text. */
export interface GivenOrder {
  readonly file: string;
  readonly text: string;
}

/** Generated scenarios of a machine with mutants planted in all of them and faults injected. */
export interface GeneratedOrder {
  readonly machine: string;
  readonly mutants: readonly string[];
  /** None when absent. */
  readonly faults?: readonly WrittenFault[];
}

/** Makes the campaign. Errors: `ScenarioErrors` for a wrong scenario, `UsageError` for a machine without generated scenarios. */
export async function openCampaign({ subject, plan }: CampaignOrder): Promise<Campaign> {
  return new Campaign(await subjectOf(subject, plan.seed), plan);
}

async function subjectOf(subject: CampaignOrder['subject'], seed: number): Promise<Subject> {
  if ('file' in subject) {
    const read = await parseScenario(subject.text, subject.file, await knownMachines());
    const { scenario, machine, properties } = await judgedScenario(read);
    return givenSubject(scenario, machine, properties);
  }
  const known = await machineNamed(subject.machine);
  const generation = await generationOf(known);
  if (!generation)
    throw new UsageError(
      `found no generated scenarios for the machine ${known.name}, expected a machine with a generator`,
      'give one of its scenario files, or the machine a generator: defineMachine({ generator })',
    );
  const { machine } = generation;
  const ids = [...machine.mutants.keys()];
  const unknown = subject.mutants.find((mutant) => !ids.includes(mutant));
  if (unknown !== undefined)
    throw new UsageError(
      `--mutant: found "${unknown}", expected an id of the fault catalogue of ${machine.name}`,
      didYouMean(unknown, ids, 'mutants'),
    );
  const { mutants, faults = [] } = subject;
  if (!machine.crashable && faults.some((fault) => 'crash' in fault))
    throw new UsageError(
      `--fault: found crash, but no actor of ${machine.name} may crash`,
      'of this machine messages can be lost, doubled, late, overtaken or damaged',
    );
  return new GeneratedSubject({ ...generation, named: subject.machine, seed, mutants, faults });
}
