import fc from 'fast-check';
import { always, defineMachine, type Mutant, mutantSentences, Wiring, withMutants } from 'lockstep';
import { z } from 'zod';
import { kit, runner } from './relay.ts';

const mutants = new Map<string, Mutant<typeof runner>>([
  [
    'two-batons',
    {
      sentence: 'a runner passes two batons',
      mutate: (part) =>
        part.provide({
          actions: {
            pass: kit.post(({ next }, { left }) => [
              { to: next, type: 'baton', left: left - 1 },
              { to: next, type: 'baton', left: 0 },
            ]),
          },
        }),
    },
  ],
]);

export const relay = defineMachine({
  name: 'relay',
  summary: 'runners in a circle who pass a baton',
  config: z.strictObject({ runners: z.int().min(1).max(9).default(3), passes: z.int().min(0).default(5) }),
  mutants: mutantSentences(mutants),
  asynchronous: true,
  properties: [always('there is one baton at most', (state) => state.underWay('baton').length < 2)],
  generator: fc
    .record({ runners: fc.integer({ min: 1, max: 9 }), passes: fc.nat(20) })
    .map((config) => ({ name: 'generated: relay', config, programs: [] })),
  verbs: {
    summary: 'how long a race is',
    load:
      async () =>
      (command, { terminal }) => {
        command
          .argument('<runners>')
          .action((runners: string) => terminal.out(`${Number(runners) * 400} m\n`));
      },
  },
  verifies: [
    {
      name: 'relay-results',
      summary: 'results of races',
      recognises: ({ json }) => typeof json === 'object' && json !== null && 'relay' in json,
      *rows({ json }) {
        const { relay: given } = json as { relay: number };
        yield {
          id: 'length',
          what: 'metres',
          expected: given,
          found: 1200,
          passed: given === 1200,
          tolerance: 0,
        };
      },
    },
  ],
  assemble: ({ config: { runners, passes }, mutants: planted }) => {
    const wiring = new Wiring({});
    const part = withMutants(runner, mutants, planted);
    const at = Array.from({ length: runners }, (_, n) => wiring.reserve(`Runner[${n}]`));
    for (const [n, address] of at.entries()) wiring.place(address, part, { next: at[(n + 1) % runners]! });
    wiring.begin({ to: at[0]!, type: 'baton', left: passes });
    return {
      wiring,
      result: (run) => ({ held: at.map((address) => Number(run.part(address).context['held'])) }),
    };
  },
});
