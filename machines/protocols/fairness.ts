import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { mutex } from '../../actors/common/mutex.ts';
import { type ProgramLine, turnProgram } from '../../actors/protocols/turn-program.ts';
import { turns } from '../../actors/protocols/turns.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  system: z
    .enum(['spinner', 'philosophers', 'token-ring'])
    .default('spinner')
    .describe(
      'a worker beside somebody who never stops; philosophers who share forks; stations that pass a token on',
    ),
  size: z.int().min(2).max(5).default(2).describe('philosophers or stations'),
  fair: z.boolean().default(false).describe('whether the properties count weakly fair runs only'),
  forks: z
    .enum(['ordered', 'left-first', 'waiter'])
    .default('ordered')
    .describe(
      'which fork is taken first: the one with the lower number, or the left one; or a waiter lets one of those who ask take both',
    ),
  stuck: z
    .boolean()
    .default(false)
    .describe('planted: the worker never begins; the last station keeps the token'),
});

/** Configuration of a system that shows what fairness is. */
export type FairnessConfig = z.output<typeof config>;

/** Where the processes stand, by name. */
export interface FairnessResult {
  readonly processes: Readonly<Record<string, string>>;
}

interface Process {
  readonly name: string;
  readonly program: readonly ProgramLine[];
  readonly loops: boolean;
}

/** Small systems whose processes are of any speed: what must come in them depends on fairness. */
export const fairness: Machine<FairnessConfig, readonly unknown[], FairnessResult> = {
  name: 'fairness',
  config,
  programs: noPrograms,
  mutants: new Map(),
  assemble: ({ config: given }) => {
    const wiring = new Wiring();
    const names = namesOf(given);
    const selves = names.map((name) => wiring.reserve(name));
    const scheduler = wiring.reserve('Turns');
    processesOf(given, names, selves, wiring).forEach(({ program, loops }, process) => {
      const self = selves[process]!;
      const machine: AnyStateMachine = turnProgram;
      wiring.place(self, machine, { self, turns: scheduler, process, program, loops });
    });
    wiring.place(scheduler, turns, { self: scheduler, askers: selves });
    if (given.system === 'token-ring') wiring.begin({ to: selves[0]!, type: 'token' });
    return {
      wiring,
      result: (run) => ({
        processes: Object.fromEntries(names.map((name) => [name, run.part(name).configuration.name])),
      }),
    };
  },
  figures: ({ processes }) => [
    {
      label: 'processes',
      value: Object.entries(processes)
        .map(([name, state]) => `${name} ${state}`)
        .join(', '),
    },
  ],
};

function namesOf({ system, size }: FairnessConfig): readonly string[] {
  const numbered = (name: string) => Array.from({ length: size }, (_, index) => `${name}[${index}]`);
  if (system === 'spinner') return ['Worker', 'Spinner'];
  return system === 'philosophers' ? numbered('Philosopher') : [...numbered('Station'), 'Spinner'];
}

function processesOf(
  { system, size, forks, stuck }: FairnessConfig,
  names: readonly string[],
  selves: readonly Address[],
  wiring: Wiring,
): readonly Process[] {
  const spinning: Omit<Process, 'name'> = { program: [{ line: 'show', type: 'spun' }], loops: true };
  const numbers = Array.from({ length: size }, (_, index) => index);
  const named = (index: number, process: Omit<Process, 'name'>): Process => ({
    name: names[index]!,
    ...process,
  });
  if (system === 'spinner') {
    const work: readonly ProgramLine[] = [{ line: 'show', type: 'work.done' }];
    return [
      named(0, { program: stuck ? [{ line: 'receive' }, ...work] : work, loops: false }),
      named(1, spinning),
    ];
  }
  if (system === 'token-ring')
    return [
      ...numbers.map((index): Process => {
        const keeps = stuck && index === size - 1;
        const last: ProgramLine = keeps
          ? { line: 'receive' }
          : { line: 'send', to: selves[(index + 1) % size]! };
        return named(index, {
          program: [{ line: 'receive' }, { line: 'show', type: 'token.used' }, last],
          loops: true,
        });
      }),
      named(size, spinning),
    ];
  const places = numbers.map((index) => wiring.place(`Fork[${index}]`, mutex, {}));
  const waiters = forks === 'waiter' ? [wiring.place('Waiter', mutex, { order: 'any' })] : [];
  return numbers.map((index): Process => {
    const both = [places[index]!, places[(index + 1) % size]!];
    // Who takes the lower one first is never in a circle of those who wait.
    const [first, second] = forks === 'left-first' ? both : both.toSorted((one, other) => one - other);
    const program: readonly ProgramLine[] = [
      { line: 'show', type: 'philosopher.hungry' },
      ...waiters.map((waiter): ProgramLine => ({ line: 'acquire', mutex: waiter })),
      { line: 'acquire', mutex: first! },
      { line: 'acquire', mutex: second! },
      { line: 'show', type: 'philosopher.eats' },
      { line: 'release', mutex: first! },
      { line: 'release', mutex: second! },
      ...waiters.map((waiter): ProgramLine => ({ line: 'release', mutex: waiter })),
    ];
    return named(index, { program, loops: true });
  });
}
