import { setup } from 'xstate';
import { networkProtocol } from './protocol.ts';
import type { RandomStream } from './random-stream.ts';

/** What random numbers are made from. */
export interface RandomNumbersInput {
  readonly stream: RandomStream;
}

/** The stream, as far as it was drawn. */
export interface RandomNumbersContext {
  readonly stream: RandomStream;
}

const role = networkProtocol.roles.Random;
const { act } = role.component<RandomNumbersContext>();

/**
 * The random stream of a network, or of one router (chiplet specification 5.6).
 *
 * Details: routers that draw from one stream have their turns one after the other, and so ask one after the other; what they share is asked for and
 * never held in common.
 */
export const randomNumbers = setup({
  types: role.types<RandomNumbersContext, RandomNumbersInput>(),
  actions: {
    pick: act<'random.pick'>(({ stream }, { count }, out) => {
      out.post({ to: out.from, type: 'random.picked', pick: stream.pick(count) });
    }),
    drawWords: act<'random.words'>(({ stream }, { count }, out) => {
      const words = Array.from({ length: count }, () => stream.word());
      out.post({ to: out.from, type: 'random.drawn', words });
    }),
  },
}).createMachine({
  id: 'random-numbers',
  context: ({ input: { stream } }) => ({ stream }),
  initial: 'ready',
  states: {
    ready: { on: { 'random.pick': { actions: 'pick' }, 'random.words': { actions: 'drawWords' } } },
  },
});
