import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { hashOf } from '../../kernel/hash.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { knownMachines, machineCalled } from '../known-machines.ts';
import { UsageError } from '../usage-error.ts';
import type { WrittenFault } from './fault-option.ts';
import type { CampaignOrder } from './order.ts';

/** What is to be fuzzed. */
export interface Target {
  readonly subject: CampaignOrder['subject'];
  readonly machine: string;
  /** Hash of the text of the scenario; null for generated ones. */
  readonly scenario: string | null;
  /** For names of files. */
  readonly name: string;
}

/**
 * What a word of the command line means: the name of a machine, or a scenario file.
 *
 * Errors: `ScenarioErrors` for a wrong file; `UsageError` for a word that is neither, and for mutants and faults that a scenario does not name itself.
 */
export async function targetOf(
  word: string,
  mutants: readonly string[],
  faults: readonly WrittenFault[] = [],
): Promise<Target> {
  const machines = await knownMachines();
  const known = await machineCalled(word);
  if (known) {
    const name = [known.name, ...mutants, ...faults.flatMap(Object.keys)].join('-');
    return { subject: { machine: word, mutants, faults }, machine: word, scenario: null, name };
  }
  if (!/\.ya?ml$/.test(word) && !existsSync(word))
    throw new UsageError(
      `found "${word}", which is no machine and no file, expected one of them`,
      didYouMean(
        word,
        machines.map(({ name }) => name),
        'machines',
      ),
    );
  if (faults.length > 0)
    throw new UsageError(
      'found --fault with a scenario file, expected it with a machine',
      'write it in the scenario itself: faults: [{ drop: { type: NAME } }]',
    );
  if (mutants.length > 0)
    throw new UsageError(
      'found --mutant with a scenario file, expected it with a machine',
      'plant mutants in the scenario itself: faults: [{ mutant: ID }]',
    );
  const { scenario } = await loadScenario(word, machines);
  const { file, text, machine } = scenario;
  return {
    subject: { file, text },
    machine,
    scenario: hashOf(text),
    name: basename(word).replace(/\.ya?ml$/, ''),
  };
}
