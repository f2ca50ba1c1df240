import type { CommandEntry } from './command.ts';
import { knownMachines } from './known-machines.ts';

/** The commands that are of no machine, in the order of the help. */
const general: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'make a small project of your own: a protocol, a test, scenarios',
    load: async () => (await import('./commands/init.ts')).declareInit,
  },
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
    name: 'fuzz',
    summary: 'try many schedules, of a scenario or of generated ones, and make failures simple',
    load: async () => (await import('./commands/fuzz.ts')).declareFuzz,
  },
  {
    name: 'merge',
    summary: 'put the shards of a campaign together',
    load: async () => (await import('./commands/merge.ts')).declareMerge,
  },
  {
    name: 'farm',
    summary: 'a campaign on several computers, with PostgreSQL between them',
    load: async () => (await import('./commands/farm.ts')).declareFarm,
  },
  {
    name: 'check',
    summary: 'explore every schedule of a scenario',
    load: async () => (await import('./commands/check.ts')).declareCheck,
  },
  {
    name: 'trace',
    summary: 'check that a log of a real implementation is a run of a model',
    load: async () => (await import('./commands/trace.ts')).declareTrace,
  },
  {
    name: 'explain',
    summary: 'tell why a recorded run failed',
    load: async () => (await import('./commands/explain.ts')).declareExplain,
  },
  {
    name: 'view',
    summary: 'watch a run in the browser: step, look into actors, change a pick, compare',
    load: async () => (await import('./commands/view.ts')).declareView,
  },
  {
    name: 'verify',
    summary: 'compare with reference data',
    load: async () => (await import('./commands/verify.ts')).declareVerify,
  },
  {
    name: 'coverage',
    summary: 'what runs have covered of the state machines, and what not',
    load: async () => (await import('./commands/coverage.ts')).declareCoverage,
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
    summary: 'statechart of an actor as a picture or as Mermaid',
    load: async () => (await import('./commands/diagram.ts')).declareDiagram,
  },
  {
    name: 'completion',
    summary: 'completion of words for bash, zsh and fish',
    load: async () => (await import('./commands/completion.ts')).declareCompletion,
  },
];

/** The commands in the order of the help, the verbs of machines last; `asked` is the one that is carried out: what no machine adds to is not read for it. */
export async function commands(asked: string | undefined): Promise<readonly CommandEntry[]> {
  if (general.some(({ name }) => name === asked)) return general;
  const machines = await knownMachines();
  return [...general, ...machines.flatMap(({ name, verbs }) => (verbs ? [{ name, ...verbs }] : []))];
}
