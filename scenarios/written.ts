import { dirname, relative, sep } from 'node:path';
import { Document, isCollection, visit } from 'yaml';
import type { z } from 'zod';
import type { Network } from '../kernel/network.ts';
import type { Machine } from '../machines/machine.ts';
import { briefly, MachineError } from '../machines/machine-error.ts';
import { isReference } from './module-export.ts';
import { type Scenario, scenarioSchema } from './scenario.ts';

/** A scenario as a file has it, before a machine's schemas read it: plain data under the keys of the file. */
export interface WrittenScenario {
  readonly name: string;
  readonly about?: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly programs: unknown;
  readonly faults?: readonly unknown[];
  readonly network?: Network;
  readonly until?: number;
}

/** Characters of a collection that is written in one line. */
const lineMax = 100;

/** A scenario file in YAML: long collections one item a line, short ones in one line. */
export function scenarioText(machine: string, { name, about, ...rest }: WrittenScenario): string {
  const data = { name, ...(about !== undefined && { about }), machine, ...rest };
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, node) => {
      if (isCollection(node) && JSON.stringify(node).length <= lineMax) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/**
 * Reads written scenarios of one machine as files are read, without the detour over their text: the text is made when somebody asks for it, and calls the machine as `named` says, a path from the folder that we are in.
 *
 * Details: programs of modules are not loaded. Errors: a `MachineError` for a scenario that its schema or its machine refuses.
 */
export function writtenScenarioReader(
  machine: Machine,
  named: string = machine.name,
): (written: WrittenScenario, file: string) => Scenario {
  const schema = scenarioSchema(machine, named);
  return (written, file) => {
    const parsed = schema.safeParse({ machine: named, ...written });
    if (!parsed.success)
      throw new MachineError(
        machine.name,
        `its generator made ${briefly(written)}, expected a scenario of it: ${issuesText(parsed.error)}`,
        { help: 'mend the generator: every scenario that it makes must be one that the machine takes' },
      );
    const { config, programs } = parsed.data;
    for (const { path, found, expected } of machine.check?.(config, programs) ?? [])
      throw new MachineError(
        machine.name,
        `its generator made "${written.name}", expected a scenario: ${path.join('.')}: found ${found}, expected ${expected}`,
      );
    let text: string | undefined;
    return {
      ...(parsed.data as Omit<Scenario, 'file' | 'text'>),
      file,
      get text() {
        text ??= scenarioText(namedBeside(named, file), written);
        return text;
      },
    };
  };
}

/** What is wrong with data, in one line: each place and what is expected there. */
const issuesText = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
    .join('; ');

/** What a file names a machine by: where a machine of a module is depends on where the file lies. */
export function namedBeside(named: string, file: string): string {
  if (!isReference(named)) return named;
  const [path, name] = named.split('#') as [string, string];
  const from = relative(dirname(file), path).split(sep).join('/');
  return `${from.startsWith('.') ? from : `./${from}`}#${name}`;
}
