import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { registerAnswers, registerRole } from './register.ts';
import { turnsRole } from './turns.ts';

const process = field.int({ max: 1 });

/** Two processes, the registers that they share, and who says whose request is carried out next. */
export const contendersProtocol = protocol({
  Process: {
    receives: { 'process.begin': {}, ...registerAnswers },
    /** It comes into its critical section, and has left it; `process` is its number. */
    shows: { 'critical.entered': { process }, 'critical.left': { process } },
  },
  Flag: registerRole,
  Turn: registerRole,
  Turns: turnsRole,
});
const role = contendersProtocol.roles.Process;

/** Fixed when the parts are wired. */
export interface ContenderSpec {
  /** 0 or 1; in the registers too, a process is its number. */
  readonly number: number;
  readonly self: Address;
  /** The registers in which each process says that it wants to enter: 1, or 0. */
  readonly flags: readonly [Address, Address];
  /** The register that says whose turn it is. */
  readonly turn: Address;
  /** How often it enters; 0: for ever. */
  readonly rounds: number;
}

/** What a process remembers besides where it is in its program. */
export interface ContenderContext extends Omit<ContenderSpec, 'rounds'> {
  /** Rounds to go, 0 when they have no end. */
  left: number;
}

const { update, post, when, probe } = role.component<ContenderContext>();
const other = ({ number }: ContenderContext) => 1 - number;
const write = (by: Address, to: Address, value: number) => ({
  to,
  type: 'register.write' as const,
  by,
  value,
});
const read = (by: Address, to: Address) => ({ to, type: 'register.read' as const, by });

/**
 * What the programs of two processes are made of that must never be in their critical sections together: `contender.createMachine({ … })`.
 *
 * Details: each access to a shared variable is one request to a register, so the states of a program are its lines, and between two of them the other
 * process may do any number of steps. A process is in its critical section until the first access after it was carried out.
 */
export const contender = setup({
  types: role.types<ContenderContext, ContenderSpec>(),
  guards: {
    otherIsDown: when<'register.value'>((_p, { value }) => value === 0),
    turnIsMine: when<'register.value'>((p, { value }) => value === p.number),
    lastRound: when((p) => p.left === 1),
  },
  actions: {
    raiseFlag: post((p) => write(p.self, p.flags[p.number]!, 1)),
    lowerFlag: post((p) => write(p.self, p.flags[p.number]!, 0)),
    readFlag: post((p) => read(p.self, p.flags[other(p)]!)),
    yieldTurn: post((p) => write(p.self, p.turn, other(p))),
    readTurn: post((p) => read(p.self, p.turn)),
    enter: probe((p) => ({ type: 'critical.entered', process: p.number })),
    leave: probe((p) => ({ type: 'critical.left', process: p.number })),
    countDown: update((p) => {
      if (p.left > 0) p.left--;
    }),
  },
});

/** The context of a process before it begins. */
export const contenderContext = ({
  input: { rounds, ...spec },
}: {
  input: ContenderSpec;
}): ContenderContext => ({
  ...spec,
  left: rounds,
});
