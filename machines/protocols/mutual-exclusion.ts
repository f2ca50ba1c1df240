import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { contendersProtocol } from '../../actors/protocols/contender.ts';
import { dekker } from '../../actors/protocols/dekker.ts';
import { peterson } from '../../actors/protocols/peterson.ts';
import { register } from '../../actors/protocols/register.ts';
import { turns } from '../../actors/protocols/turns.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { noPrograms } from './no-programs.ts';

const programs = { peterson, dekker };

const config = z.strictObject({
  algorithm: z.enum(['peterson', 'dekker']).default('peterson').describe('what keeps the processes apart'),
  rounds: z
    .int()
    .min(0)
    .max(1000)
    .default(1)
    .describe('how often each process enters its critical section; 0: for ever, so that a run needs `until`'),
});

/** Configuration of a mutual exclusion. */
export type MutualExclusionConfig = z.output<typeof config>;

/** Where the processes stand. */
export interface MutualExclusionResult {
  /** Line of the program, by number of the process. */
  readonly processes: readonly string[];
  readonly flags: readonly number[];
  readonly turn: number;
}

const mutants = mutantsOf<AnyStateMachine>({
  'writes-swapped': {
    sentence: 'a process gives the turn away where it should raise its flag, and the other way round',
    mutate: (program) => {
      const { raiseFlag, yieldTurn } = program.implementations.actions;
      return program.provide({ actions: { raiseFlag: yieldTurn!, yieldTurn: raiseFlag! } });
    },
  },
});

/** Two processes that must never be in their critical sections together, and share nothing but three variables. */
export const mutualExclusion: Machine<MutualExclusionConfig, readonly unknown[], MutualExclusionResult> = {
  name: 'mutual-exclusion',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  protocol: contendersProtocol,
  assemble: ({ config: { algorithm, rounds }, mutants: planted }) => {
    const program = withMutants<AnyStateMachine>(programs[algorithm], mutants, planted);
    const wiring = new Wiring();
    const { Process, Flag, Turn, Turns } = contendersProtocol.roles;
    const processes = Process.reserve(wiring, 2);
    const flags = Flag.reserve(wiring, 2);
    const turn = Turn.reserve(wiring);
    const scheduler = Turns.reserve(wiring);
    for (const [number, self] of processes.entries()) {
      wiring.place(self, program, { number, self, flags, turn, rounds });
      wiring.begin({ to: self, type: 'process.begin' });
    }
    for (const self of [...flags, turn]) wiring.place(self, register, { self, turns: scheduler, value: 0 });
    wiring.place(scheduler, turns, { self: scheduler });
    return {
      wiring,
      result: (run) => {
        const valueAt = (at: Address) => run.part(at).context['value'] as number;
        return {
          processes: processes.map((process) => run.part(process).configuration.name),
          flags: flags.map(valueAt),
          turn: valueAt(turn),
        };
      },
    };
  },
  figures: (result) => [
    { label: 'processes', value: result.processes.join(', ') },
    { label: 'flags', value: result.flags.join(', ') },
    { label: 'turn', value: String(result.turn) },
  ],
};
