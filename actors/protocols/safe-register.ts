import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/** What is asked of a register; `settle` is its timer: a write comes to its end. */
export type SafeRegisterEvent =
  | { readonly type: 'Read' }
  | { readonly type: 'Write'; readonly value: number }
  | { readonly type: 'settle' };

/** What a register answers. */
export type SafeRegisterAnswer =
  | { readonly type: 'Value'; readonly value: number }
  | { readonly type: 'Written' };

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
const { act, when } = component<SafeRegisterContext, SafeRegisterEvent, SafeRegisterAnswer>();

/** A register of one writer that is safe, and no more: a read while it is written finds anything (Lamport, "On interprocess communication", 1986). */
export const safeRegister = setup({
  types: {} as { context: SafeRegisterContext; events: SafeRegisterEvent; input: SafeRegisterSpec },
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
