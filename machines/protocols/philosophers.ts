import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  fork,
  forkKit,
  type PhilosopherSpec,
  philosopher,
  philosopherKit,
  philosophersProtocol,
} from '../../actors/protocols/philosophers.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { begunWith, plantingIn } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  philosophers: z.int().min(2).max(16).default(3).describe('who sit around the table'),
});

/** Configuration of the table. */
export type PhilosophersConfig = z.output<typeof config>;

interface Parts {
  readonly fork: AnyStateMachine;
  readonly philosopher: AnyStateMachine;
}

const { replace } = plantingIn<Parts>();

const mutants = mutantsOf<Parts>({
  'same-order': {
    sentence: 'every philosopher takes the fork on the left first, the last one, too',
    mutate: (parts) => ({
      ...parts,
      philosopher: begunWith<PhilosopherSpec>(parts.philosopher, ({ first, second }) =>
        // The last one sits between the last fork and the first.
        second === first + 1 ? { first, second } : { first: second, second: first },
      ),
    }),
  },
  'grants-twice': {
    sentence: 'a fork is given to who asks, whoever holds it',
    mutate: replace('fork', { guards: { isTaken: forkKit.when(() => false) } }),
  },
  'forgets-who-waits': {
    sentence: 'a fork that comes back is not given to who waits for it',
    mutate: replace('fork', {
      actions: {
        grantNext: forkKit.update((one) => {
          one.waiting = -1;
        }),
      },
    }),
  },
  'keeps-a-fork': {
    sentence: 'a philosopher puts only the first fork back',
    mutate: replace('philosopher', {
      actions: { putBack: philosopherKit.post(({ first: to }) => ({ to, type: 'Release' })) },
    }),
  },
});

/** Philosophers around a table, who take the fork of the lower number first: so no circle of them waits (Dijkstra 1971). */
export const philosophers: Machine<PhilosophersConfig, readonly unknown[], readonly string[]> = {
  name: 'philosophers',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: philosophersProtocol,
  assemble: ({ config: { philosophers: count }, mutants: ids }) => {
    const parts = withMutants<Parts>({ fork, philosopher }, mutants, ids);
    const wiring = new Wiring({ order: 'perChannel' });
    const seats = Array.from({ length: count }, (_, seat) => seat);
    const forks = seats.map((seat) => wiring.place(`Fork[${seat}]`, parts.fork, undefined));
    for (const seat of seats) {
      const beside = [seat, (seat + 1) % count].sort((a, b) => a - b);
      const [first, second] = beside.map((at) => forks[at]!);
      wiring.place(`Philosopher[${seat}]`, parts.philosopher, { first, second });
    }
    return { wiring, result: (run) => run.state.named('Philosopher[*]').map(({ state }) => state) };
  },
  figures: (states) => [{ label: 'philosophers', value: states.join(', ') }],
};
