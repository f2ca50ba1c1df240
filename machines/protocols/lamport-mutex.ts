import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { mutexKit, mutexProcess, mutexProtocol } from '../../actors/protocols/lamport-mutex.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { planting } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  processes: z.int().min(2).max(8).default(3).describe('who want to enter'),
  rounds: z.int().min(1).max(100).default(1).describe('how often each of them wants to'),
});

/** Configuration of mutual exclusion by clocks. */
export type LamportMutexConfig = z.output<typeof config>;

const { update, when } = mutexKit;
const mutants = mutantsOf<AnyStateMachine>({
  'ignores-clocks': {
    sentence: 'a process does not put its clock forward when a later request comes',
    mutate: planting({ actions: { advanceClock: update(() => {}) } }),
  },
  'enters-early': {
    sentence: 'a process enters as soon as it knows of no older request, without a look at acknowledgements',
    mutate: planting({ guards: { isAcknowledged: when(() => true) } }),
  },
  'both-oldest': {
    sentence: 'of two requests of the same time each is taken for the older one by its process',
    mutate: planting({
      guards: {
        isOldest: when(({ processes, requests }, _event, { self }) => {
          const own = requests[processes.indexOf(self)]!;
          return requests.every((time) => time === 0 || own <= time);
        }),
      },
    }),
  },
  'keeps-requests': {
    sentence: 'a process does not forget the request of who has left',
    mutate: planting({ actions: { forget: update(() => {}) } }),
  },
});

/** Processes that enter a critical section one at a time, in the order of their requests. */
export const lamportMutex: Machine<LamportMutexConfig, readonly unknown[], readonly string[]> = {
  name: 'lamport-mutex',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: mutexProtocol,
  assemble: ({ config: { processes: count, rounds }, mutants: ids }) => {
    const part = withMutants<AnyStateMachine>(mutexProcess, mutants, ids);
    const wiring = new Wiring({ order: 'perChannel' });
    const processes = mutexProtocol.roles.Process.reserve(wiring, count);
    for (const at of processes) wiring.place(at, part, { processes, rounds });
    return { wiring, result: ({ state }) => state.named('Process[*]').map((one) => one.state) };
  },
  figures: (states) => [{ label: 'processes', value: states.join(', ') }],
};
