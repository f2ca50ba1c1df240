import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from '../jitter.ts';
import type { PathTurn, ServiceTaken, SignalArrive, SignalSend } from '../messages.ts';

/** The way of signals from the CPEs of one core group to its host process. */
export interface SignalPathInput extends JitterInput {
  readonly self: Address;
  readonly host: Address;
}

interface SignalPathContext extends Jittered {
  readonly spec: Fixed<SignalPathInput>;
  /** Signals of the cycle at hand. */
  taken: { readonly tid: number; readonly content: number; readonly sent: number }[];
}

type SignalPathEvent = SignalSend | PathTurn;

const { act, choose, post, when } = component<
  SignalPathContext,
  SignalPathEvent,
  SignalArrive | ServiceTaken | PathTurn
>();

/**
 * The way of signals from the CPEs of one core group to its host process (specification 5.6, 8.10).
 *
 * Details: none is lost. Those that come in one cycle go on by tid, whichever was delivered first, those of another cycle behind them.
 */
export const signalPath = setup({
  types: {} as { context: SignalPathContext; events: SignalPathEvent; input: SignalPathInput },
  guards: {
    hasLater: when((c, _event, { now }) => c.taken.some(({ sent }) => sent >= now)),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    askForTurn: post((c) => ({ to: c.spec.value.self, type: 'path.turn', delay: 1 })),
    take: act<'signal.send'>((c, { tid, content }, out) => {
      c.taken.push({ tid, content, sent: out.now });
      const delay = 1 + c.jitter;
      out.post({ to: out.from, type: 'service.taken', value: 0, delay });
    }),
    handOn: act<'path.turn'>((c, _event, out) => {
      const due = c.taken.filter(({ sent }) => sent < out.now);
      c.taken = c.taken.filter(({ sent }) => sent >= out.now);
      for (const signal of due.toSorted((a, b) => a.tid - b.tid))
        out.post({ to: c.spec.value.host, type: 'signal.arrive', ...signal, delay: 1 });
    }),
  },
}).createMachine({
  id: 'signalPath',
  context: ({ input }) => ({ spec: fixed(input), jitter: 0, taken: [] }),
  initial: 'empty',
  states: {
    empty: {
      on: {
        'signal.send': { target: 'gathering', actions: ['drawJitter', 'askForTurn', 'take'] },
        'path.turn': {},
      },
    },
    // The cycle of the first signal is not over.
    gathering: {
      on: {
        'signal.send': { actions: ['drawJitter', 'take'] },
        'path.turn': [
          { guard: 'hasLater', actions: ['askForTurn', 'handOn'] },
          { target: 'empty', actions: 'handOn' },
        ],
      },
    },
  },
});
