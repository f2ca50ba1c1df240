import type { Observer } from '../kernel/explore/observer.ts';
import type { Run } from '../kernel/run.ts';
import type { Assembly, Given } from '../machines/machine.ts';
import type { Watch } from './property.ts';

/** The properties of one machine, ready to watch any of its runs. */
export interface MachineProperties {
  /** Name of the machine. */
  readonly machine: string;
  readonly sentences: readonly string[];
  /** Those of them that judge a run, where what is given leaves some out; all when absent. */
  sentencesOf?(given: Given): readonly string[];
  /** Lets them watch a run that has not begun. */
  watch(run: Run, given: Given, assembly: Assembly): Watch;
  /** Those that the exhaustive checker can judge, in the form it needs; their sentences are among `sentences`. */
  observers?(given: Given, assembly: Assembly): readonly Observer[];
}

const protocol = (machine: string) => async (): Promise<MachineProperties> => {
  const { protocolProperties } = await import('./protocols/protocol-properties.ts');
  return protocolProperties.find((one) => one.machine === machine)!;
};

const fromLibrary = (machine: string) => async (): Promise<MachineProperties> =>
  (await import('./protocols/library-properties.ts')).libraryProperties[machine]!;

/** The properties of all machines, by the names of the machines; loaded when they are asked for. A machine with properties is one entry here. */
const families: Readonly<Record<string, () => Promise<MachineProperties>>> = {
  cell: async () => (await import('./cell/machine-properties.ts')).cellMachineProperties,
  cellbe: async () => (await import('./cell/eib/machine-properties.ts')).cellbeMachineProperties,
  chiplet: async () => (await import('./chiplet/machine-properties.ts')).chipletMachineProperties,
  grape: async () => (await import('./grape/machine-properties.ts')).grapeMachineProperties,
  sunway: async () => (await import('./sunway/machine-properties.ts')).sunwayMachineProperties,
  tca: async () => (await import('./tca/machine-properties.ts')).tcaMachineProperties,
  'two-phase-commit': protocol('two-phase-commit'),
  'recoverable-commit': protocol('recoverable-commit'),
  register: protocol('register'),
  'mutual-exclusion': protocol('mutual-exclusion'),
  'single-copy': protocol('single-copy'),
  abd: protocol('abd'),
  paxos: protocol('paxos'),
  'ping-pong': protocol('ping-pong'),
  fairness: async () => (await import('./protocols/fairness-properties.ts')).fairnessMachineProperties,
  raft: fromLibrary('raft'),
  mesi: fromLibrary('mesi'),
  philosophers: fromLibrary('philosophers'),
  'ring-election': fromLibrary('ring-election'),
};

/** The properties of a machine by its name; undefined for a machine that has none. */
export const propertiesOf = async (machine: string): Promise<MachineProperties | undefined> =>
  families[machine]?.();
