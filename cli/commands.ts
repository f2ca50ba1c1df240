import type { CommandEntry } from './command.ts';
import { machineVerbs } from './machine-verbs.ts';

/** All commands in the order of the help; the verbs of machines follow. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'run a scenario, watch its properties, judge it by what it expects',
    load: async () => (await import('./commands/run.ts')).declareRun,
  },
  {
    name: 'replay',
    summary: 'carry out a recorded run again and verify it',
    load: async () => (await import('./commands/replay.ts')).declareReplay,
  },
  {
    name: 'verify',
    summary: 'compare with reference data',
    load: async () => (await import('./commands/verify.ts')).declareVerify,
  },
  {
    name: 'list',
    summary: 'machines, scenarios, properties, planted faults, exports',
    load: async () => (await import('./commands/list.ts')).declareList,
  },
  {
    name: 'schema',
    summary: 'JSON Schema of the scenario files of a machine, for editors',
    load: async () => (await import('./commands/schema.ts')).declareSchema,
  },
  {
    name: 'diagram',
    summary: 'statechart of an actor as Mermaid',
    load: async () => (await import('./commands/diagram.ts')).declareDiagram,
  },
  ...machineVerbs,
];
