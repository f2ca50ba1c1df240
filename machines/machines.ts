import type { Machine } from './machine.ts';

/** A machine by its name, whose modules are loaded when it is asked for: a command for one machine does not wait for all. */
export interface MachineEntry {
  /** What scenarios name it by: `machine.name`. */
  readonly name: string;
  load(): Promise<Machine>;
}

const entry = (name: string, load: () => Promise<unknown>): MachineEntry => ({
  name,
  load: async () => (await load()) as Machine,
});

/** All machines, in the order of `lockstep list`. A new one is one entry here. */
export const machines: readonly MachineEntry[] = [
  entry('cell', async () => (await import('./cell.ts')).cellMachine),
  entry('cellbe', async () => (await import('./cell/cellbe-machine.ts')).cellbeMachine),
  entry('chiplet', async () => (await import('./chiplet.ts')).chipletMachine),
  entry('grape', async () => (await import('./grape.ts')).grapeMachine),
  entry('tca', async () => (await import('./tca.ts')).tcaMachine),
  entry('sunway', async () => (await import('./sunway.ts')).sunwayMachine),
  entry('two-phase-commit', async () => (await import('./protocols/two-phase-commit.ts')).twoPhaseCommit),
  entry(
    'recoverable-commit',
    async () => (await import('./protocols/recoverable-commit.ts')).recoverableCommit,
  ),
  entry('register', async () => (await import('./protocols/register.ts')).sharedRegister),
  entry('mutual-exclusion', async () => (await import('./protocols/mutual-exclusion.ts')).mutualExclusion),
  entry('single-copy', async () => (await import('./protocols/put-get.ts')).singleCopy),
  entry('abd', async () => (await import('./protocols/put-get.ts')).abd),
  entry('paxos', async () => (await import('./protocols/put-get.ts')).paxos),
  entry('ping-pong', async () => (await import('./protocols/ping-pong.ts')).pingPong),
  entry('fairness', async () => (await import('./protocols/fairness.ts')).fairness),
  entry('raft', async () => (await import('./protocols/raft.ts')).raft),
  entry('mesi', async () => (await import('./protocols/mesi.ts')).mesi),
  entry('philosophers', async () => (await import('./protocols/philosophers.ts')).philosophers),
  entry('ring-election', async () => (await import('./protocols/ring-election.ts')).ringElection),
];

/** The machine of a name, loaded; undefined when none has it. */
export const machineOf = async (
  name: string,
  known: readonly KnownMachine[] = machines,
): Promise<Machine | undefined> => {
  const found = known.find((one) => one.name === name);
  return found && 'load' in found ? found.load() : found;
};

/** A machine that was loaded, or can be. */
export type KnownMachine = Machine | MachineEntry;
