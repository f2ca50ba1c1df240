import { machines } from '../../machines/machines.ts';
import { generatedScenarios } from '../../properties/arbitraries.ts';
import { Campaign, type CampaignPlan } from '../../properties/explore/campaign.ts';
import { GeneratedSubject, givenSubject, type Subject } from '../../properties/explore/subject.ts';
import { propertiesOf } from '../../properties/properties.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { machineNamed } from '../machine-named.ts';
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
    const { scenario, machine } = await parseScenario(subject.text, subject.file, machines);
    return givenSubject(scenario, machine, await propertiesOf(machine.name));
  }
  const machine = await machineNamed(subject.machine);
  const arbitrary = await generatedScenarios.get(machine.name)?.();
  if (!arbitrary) {
    const known = [...generatedScenarios.keys()].join(', ');
    throw new UsageError(
      `found no generated scenarios for the machine ${machine.name}, expected a machine with some: ${known}`,
      'give one of its scenario files: npx lockstep list names those that there are',
    );
  }
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
  const properties = await propertiesOf(machine.name);
  return new GeneratedSubject({ machine, properties, arbitrary, seed, mutants, faults });
}
