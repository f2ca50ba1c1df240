import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { z } from 'zod';
import type { Network } from '../kernel/network.ts';
import { isMachine, type KnownMachine, loadMachine, type Machine } from '../machines/machine.ts';
import { ScenarioError, type ScenarioErrorCode, ScenarioErrors } from './errors.ts';
import { explainIssues, pathText, valueAt } from './explain.ts';
import { misplacedFaults } from './fault-places.ts';
import { describeFound } from './found.ts';
import { InputError, inputText } from './input-file.ts';
import { LocatedDocument } from './located-document.ts';
import { isReference, MissingExport, moduleExport } from './module-export.ts';
import { didYouMean } from './nearest.ts';
import { loadPrograms, withPrograms } from './programs.ts';
import { headerSchema, type Scenario, scenarioSchema } from './scenario.ts';

/** A scenario and the machine it is for. */
export interface LoadedScenario {
  readonly scenario: Scenario;
  readonly machine: Machine;
}

/** A scenario as it was read. */
export interface ReadScenario extends LoadedScenario {
  /** Its machine as it was known: what judges its runs is asked of this. */
  readonly known: KnownMachine;
}

/**
 * Reads a scenario file.
 *
 * Errors: throws `ScenarioErrors` with everything that is wrong with the file (SCN001 to SCN030, SCN032, SCN033).
 */
export async function loadScenario(file: string, machines: readonly KnownMachine[]): Promise<ReadScenario> {
  if (/\.[cm]?[jt]sx?(#|$)/.test(file)) throw new ScenarioErrors([isModule(file)]);
  let text: string;
  try {
    text = inputText(file);
  } catch (error) {
    throw new ScenarioErrors([unreadable(file, error)]);
  }
  return parseScenario(text, file, machines);
}

/** A module of a machine in place of a scenario. */
function isModule(file: string): ScenarioError {
  const path = /^[./]/.test(file) ? file : `./${file}`;
  const [reference, where] = path.includes('#')
    ? [path, '']
    : [`${path}#NAME`, ', NAME being an export of the module'];
  return new ScenarioError(
    'SCN001',
    { file, line: 1, column: 1 },
    'found a module, expected a scenario file in YAML',
    `write a scenario with "machine: ${reference}"${where}; fuzz takes ${reference} itself`,
  );
}

/**
 * Checks the text of a scenario and loads the programs it refers to, relative to the folder of `file`.
 *
 * Errors: throws `ScenarioErrors` with everything that is wrong with the text, in the order of the text.
 */
export async function parseScenario(
  text: string,
  file: string,
  machines: readonly KnownMachine[],
): Promise<ReadScenario> {
  const document = new LocatedDocument(text, file);
  if (document.errors.length > 0) throw new ScenarioErrors(document.errors);
  if (typeof document.data !== 'object' || document.data === null || Array.isArray(document.data)) {
    const what = `found ${describeFound(document.data)}, expected a mapping with the keys name, machine, config, programs`;
    throw new ScenarioErrors([new ScenarioError('SCN004', document.at([]), what)]);
  }

  const named = valueAt(document.data, ['machine']);
  const known = await knownAs(named, document, machines);
  const programs = await loadPrograms(document);
  if (!known || known instanceof ScenarioError)
    throw new ScenarioErrors([...(known ? [known] : withoutMachine(document, machines)), ...programs.errors]);
  const machine = await loadMachine(known);

  const schema = scenarioSchema(machine, String(named));
  const parsed = checkedBy(schema, document);
  const errors = [
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, schema, document)),
    ...programs.errors,
  ];
  if (!parsed.success) throw new ScenarioErrors([...(await meantFor(document, known, machines)), ...errors]);
  if (errors.length > 0) throw new ScenarioErrors(errors);

  const scenario = scenarioOf(
    parsed.data,
    text,
    file,
    withPrograms(parsed.data.programs, programs.byReference),
  );
  await machine.prepare?.(scenario.programs);
  const crossed = crossFindings(document, machine, scenario);
  // A machine can be wired only when its keys fit together.
  const findings = crossed.length > 0 ? crossed : misplacedFaults(document, machine, scenario);
  if (findings.length > 0) throw new ScenarioErrors(findings);
  return { scenario, machine, known };
}

/** Tells of a scenario that is wrong for its machine and right for one of a similar name, as `cellbe` is to `cell`. */
async function meantFor(
  document: LocatedDocument,
  known: KnownMachine,
  machines: readonly KnownMachine[],
): Promise<readonly ScenarioError[]> {
  const { config, programs } = document.data as { readonly config?: unknown; readonly programs?: unknown };
  // What says nothing fits too many.
  if (config === undefined && programs === undefined) return [];
  for (const other of machines) {
    const alike = other.name.includes(known.name) || known.name.includes(other.name);
    if (!alike || other.name === known.name) continue;
    const data = { ...(document.data as object), machine: other.name };
    if (!scenarioSchema(await loadMachine(other), other.name).safeParse(data).success) continue;
    const what = `machine: found a scenario of ${other.name} for "${known.name}"`;
    return [new ScenarioError('SCN020', document.at(['machine']), what, `write machine: ${other.name}`)];
  }
  return [];
}

/** What a schema makes of a document. Errors: `ScenarioErrors` where a part of it that came with the machine throws. */
function checkedBy<Schema extends z.ZodType>(schema: Schema, document: LocatedDocument) {
  try {
    return schema.safeParse(document.data, { reportInput: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what = `machine: found a schema of its configuration that throws: ${why}`;
    throw new ScenarioErrors([
      new ScenarioError(
        'SCN020',
        document.at(['machine']),
        what,
        'mend config in what defineMachine is given',
      ),
    ]);
  }
}

/** The machine that a scenario names: one of those that are known, or an export of a module, `./mesi.ts#mesi`. */
async function knownAs(
  named: unknown,
  document: LocatedDocument,
  machines: readonly KnownMachine[],
): Promise<KnownMachine | ScenarioError | undefined> {
  if (typeof named !== 'string') return undefined;
  if (!isReference(named)) return machines.find(({ name }) => name === named);
  const refused = (code: ScenarioErrorCode, what: string, help?: string) =>
    new ScenarioError(code, document.at(['machine']), `machine: ${what}`, help);
  try {
    const found = await moduleExport(named, document.file);
    if (isMachine(found)) return found;
    return refused(
      'SCN020',
      `found ${describeFound(found)} as "${named}", expected a machine`,
      'export what defineMachine({ name, summary, assemble }) gives',
    );
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    return refused(error.code, error.what, error.help);
  }
}

type Parsed = z.output<ReturnType<typeof scenarioSchema>>;

function scenarioOf(parsed: Parsed, text: string, file: string, programs: unknown): Scenario {
  const { name, about, machine, config, faults, schedule, until, expect } = parsed;
  // Only machines with asynchronous wirings have this key.
  const network = parsed.network as Network | undefined;
  return {
    file,
    text,
    name,
    ...(about !== undefined && { about }),
    machine,
    config,
    programs,
    faults,
    ...(network !== undefined && { network }),
    schedule,
    ...(until !== undefined && { until }),
    ...(expect !== undefined && { expect }),
  };
}

/** What can be said about a file whose machine is not known. */
function withoutMachine(
  document: LocatedDocument,
  machines: readonly KnownMachine[],
): readonly ScenarioError[] {
  const names = machines.map((one) => one.name);
  const schema = headerSchema(names);
  const parsed = schema.safeParse(document.data, { reportInput: true });
  const issues = parsed.success ? [] : parsed.error.issues;
  const others = explainIssues(
    issues.filter((issue) => issue.path[0] !== 'machine'),
    schema,
    document,
  );
  const found = valueAt(document.data, ['machine']);
  if (found === undefined) {
    const missing = new ScenarioError(
      'SCN011',
      document.at([]),
      'missing key "machine"',
      `known machines: ${names.join(', ')}`,
    );
    return [missing, ...others];
  }
  const help = didYouMean(String(found), names, 'machines');
  const unknown = new ScenarioError(
    'SCN020',
    document.at(['machine']),
    `machine: found ${describeFound(found)}, which is no machine`,
    `${help}; one of your own is named in lockstep.config.ts, or by its module: ./file.ts#export`,
  );
  return [unknown, ...others];
}

/** What the machine finds about several keys at once; a path that does not say `config` or `programs` is one of the configuration. */
function crossFindings(
  document: LocatedDocument,
  machine: Machine,
  scenario: Scenario,
): readonly ScenarioError[] {
  const findings = machine.check?.(scenario.config, scenario.programs) ?? [];
  return findings.map(({ path, found, expected }) => {
    const full = path[0] === 'config' || path[0] === 'programs' ? path : ['config', ...path];
    return new ScenarioError(
      'SCN030',
      document.at(full),
      `${pathText(full)}: found ${found}, expected ${expected}`,
    );
  });
}

function unreadable(file: string, error: unknown): ScenarioError {
  if (!(error instanceof InputError)) throw error;
  let help: string | undefined;
  try {
    const names = readdirSync(dirname(file)).filter((name) => /\.ya?ml$/.test(name));
    if (names.length > 0) help = didYouMean(basename(file), names.sort(), 'scenarios there');
  } catch {
    // In a project of somebody's own the examples lie in the package.
    if (file.startsWith('scenarios/'))
      help = 'scenarios that come with Lockstep are listed, with their files, by npx lockstep list scenarios';
  }
  return new ScenarioError('SCN001', { file, line: 1, column: 1 }, error.why, help ?? error.help);
}
