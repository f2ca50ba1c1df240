import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

const value = field.int();

/** The role of a register: what is asked of it, and that a write comes to its end some time. */
export const safeRegisterRole = { receives: { Read: {}, Write: { value } }, timers: ['settle'] } as const;

/** What who asks a register is answered. */
export const safeRegisterAnswers = { Value: { value }, Written: {} };

const role = protocol({ Register: safeRegisterRole, Asker: { receives: safeRegisterAnswers } }).roles
  .Register;

/** Fixed when the register is placed. */
export interface SafeRegisterSpec {
  /** Values from 0 on that a read may find while the register is written; 0 for one that has always either the old or the new one. */
  readonly values: number;
}

/** What a register remembers. */
export interface SafeRegisterContext extends SafeRegisterSpec {
  value: number;
  /** What is being written, and who writes. */
  next: number;
  writer: number;
}

/** The kit of these registers. */
const { act, when } = role.component<SafeRegisterContext>();

/** A register of one writer that is safe, and no more: a read while it is written finds anything (Lamport, "On interprocess communication", 1986). */
export const safeRegister = setup({
  types: role.types<SafeRegisterContext, SafeRegisterSpec>(),
  guards: { isSafe: when(({ values }) => values > 0) },
  actions: {
    answer: act(({ value }, _event, out) => out.post({ to: out.from, type: 'Value', value })),
    answerAnything: act(({ values }, _event, out) =>
      out.post({ to: out.from, type: 'Value', value: out.pick('what is read', values) }),
    ),
    begin: act<'Write'>((register, { value }, out) => {
      Object.assign(register, { next: value, writer: out.from });
      out.setTimer('settle');
    }),
    settle: act((register, _event, out) => {
      out.post({ to: register.writer as Address, type: 'Written' });
      Object.assign(register, { value: register.next, next: 0, writer: -1 });
    }),
  },
}).createMachine({
  id: 'safeRegister',
  context: ({ input }) => ({ ...input, value: 0, next: 0, writer: -1 }),
  initial: 'stable',
  states: {
    stable: { on: { Read: { actions: 'answer' }, Write: { target: 'written', actions: 'begin' } } },
    written: {
      on: {
        Read: [{ guard: 'isSafe', actions: 'answerAnything' }, { actions: 'answer' }],
        settle: { target: 'stable', actions: 'settle' },
      },
    },
  },
});
