import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/** One line of a program; each takes a turn. */
export type ProgramLine =
  /** Shows a probe of this type. */
  | { readonly line: 'show'; readonly type: string }
  /** Takes a mutex, or waits for it. */
  | { readonly line: 'acquire'; readonly mutex: Address }
  | { readonly line: 'release'; readonly mutex: Address }
  /** Sends a token. */
  | { readonly line: 'send'; readonly to: Address }
  /** Takes a token that has come, or waits for one. */
  | { readonly line: 'receive' };

/** Shown by the line `show`. */
export interface LineShown {
  readonly type: string;
  /** Number of the process. */
  readonly process: number;
}

/** Fixed when the parts are wired. */
export interface TurnProgramSpec {
  readonly self: Address;
  /** Who hands out turns. */
  readonly turns: Address;
  readonly process: number;
  readonly program: readonly ProgramLine[];
  /** True when it begins again after its last line, for ever. */
  readonly loops: boolean;
}

/** What a process remembers. */
export interface TurnProgramContext extends TurnProgramSpec {
  /** The line that comes next. */
  next: number;
  /** Tokens that have come and were not taken. */
  tokens: number;
}

type TurnProgramEvent = { readonly type: 'turn.take' | 'mutex.granted' | 'token' };

const { act, post, update, when } = component<TurnProgramContext, TurnProgramEvent>();
const isLast = ({ next, program, loops }: TurnProgramContext) => next === program.length - 1 && !loops;
const goOn = (me: TurnProgramContext) => {
  me.next = (me.next + 1) % me.program.length;
};

/** A process of any speed that carries out a few lines, each in a turn of its own. Gotchas: who hands out the turns knows from the beginning that it wants one. */
export const turnProgram = setup({
  types: {} as { context: TurnProgramContext; events: TurnProgramEvent; input: TurnProgramSpec },
  guards: {
    blocks: when(({ program, next, tokens }) => {
      const { line } = program[next]!;
      return line === 'acquire' || (line === 'receive' && tokens === 0);
    }),
    isLast: when(isLast),
  },
  actions: {
    askForTurn: post((me) => ({ to: me.turns, type: 'turn.ask', by: me.self })),
    carryOut: act((me, _event, out) => {
      const line = me.program[me.next]!;
      if (line.line === 'show') out.probe({ type: line.type, process: me.process } as LineShown);
      if (line.line === 'acquire') out.post({ to: line.mutex, type: 'mutex.acquire', by: me.self });
      if (line.line === 'release') out.post({ to: line.mutex, type: 'mutex.release', by: me.self });
      if (line.line === 'send') out.post({ to: line.to, type: 'token' });
      if (line.line === 'receive' && me.tokens > 0) me.tokens--;
    }),
    goOn: update(goOn),
    keepToken: update((me) => {
      me.tokens++;
    }),
  },
}).createMachine({
  id: 'turnProgram',
  context: ({ input }) => ({ ...input, next: 0, tokens: 0 }),
  initial: 'ready',
  states: {
    ready: {
      on: {
        'turn.take': [
          { guard: 'blocks', target: 'waiting', actions: 'carryOut' },
          { guard: 'isLast', target: 'finished', actions: 'carryOut' },
          { actions: ['carryOut', 'goOn', 'askForTurn'] },
        ],
        token: { actions: 'keepToken' },
        'mutex.granted': {},
      },
    },
    waiting: {
      tags: ['waiting'],
      on: {
        'mutex.granted': [
          { guard: 'isLast', target: 'finished' },
          { target: 'ready', actions: ['goOn', 'askForTurn'] },
        ],
        token: [
          { guard: 'isLast', target: 'finished' },
          { target: 'ready', actions: ['goOn', 'askForTurn'] },
        ],
        'turn.take': {},
      },
    },
    finished: { on: { token: {}, 'turn.take': {}, 'mutex.granted': {} } },
  },
});
