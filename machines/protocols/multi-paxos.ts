import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  type MultiPaxosContext,
  multiPaxosKit,
  multiPaxosProtocol,
  multiPaxosServer,
} from '../../actors/protocols/multi-paxos.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { planting } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  servers: z.int().min(1).max(9).default(3).describe('who keep the log'),
  commands: z.int().min(0).max(100).default(1).describe('what clients ask every server to do, once each'),
  ballots: z
    .int()
    .min(1)
    .max(1000)
    .default(2)
    .describe(
      'ballots beyond which is not looked: the first belongs to the first server, the second to the second, and so on',
    ),
});

/** Configuration of Paxos for a log. */
export type MultiPaxosConfig = z.output<typeof config>;

/** What the servers know to be chosen, by slot; -1 for nothing. */
export type MultiPaxosResult = readonly (readonly number[])[];

const { act, update, when } = multiPaxosKit;
const mutants = mutantsOf<AnyStateMachine>({
  'ignores-promises': {
    sentence: 'a leader proposes what it has accepted itself, whatever it was promised',
    mutate: planting({
      actions: {
        notePromise: update<'Promise'>((one, _event, { from }) => {
          const others = one.promises.filter((promise) => promise.server !== from);
          one.promises = [...others, { server: from, log: [] }].sort((a, b) => a.server - b.server);
        }),
      },
    }),
  },
  'accepts-lower': {
    sentence: 'a server accepts a value of a lower ballot than it has promised',
    mutate: planting({ guards: { isNotLower: when(() => true) } }),
  },
  'leads-alone': {
    sentence: 'a server leads without a majority of promises',
    mutate: planting({ guards: { isPromised: when(() => true) } }),
  },
  'forgets-accepted': {
    sentence: 'a server says that it has accepted a value, and does not keep it',
    mutate: planting({
      actions: {
        accept: act<'Accept'>((one, { ballot, slot }, out) => {
          one.ballot = ballot;
          out.post({ to: out.from, type: 'Accepted', ballot, slot });
        }),
      },
    }),
  },
});

/** Servers that agree on a log, slot by slot. */
export const multiPaxos: Machine<MultiPaxosConfig, readonly unknown[], MultiPaxosResult> = {
  name: 'multi-paxos',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: multiPaxosProtocol,
  assemble: ({ config: { servers: count, commands, ballots }, mutants: ids }) => {
    const part = withMutants<AnyStateMachine>(multiPaxosServer, mutants, ids);
    const wiring = new Wiring({});
    const servers = multiPaxosProtocol.roles.Server.reserve(wiring, count);
    for (const at of servers) {
      wiring.place(at, part, { servers });
      for (let value = 1; value <= commands; value++) wiring.begin({ to: at, type: 'Command', value });
    }
    wiring.boundary = ({ actors }) =>
      // The first ballot has the number of servers, since the lowest one is that of nobody.
      actors.every(({ context }) => ((context as Partial<MultiPaxosContext>).ballot ?? 0) < count + ballots);
    return {
      wiring,
      result: ({ state }) =>
        state.named<Partial<MultiPaxosContext>>('Server[*]').map(({ context }) => context.chosen ?? []),
    };
  },
  figures: (chosen) =>
    chosen.map((log, at) => ({ label: `server ${at}`, value: `knows [${log.join(' ')}] to be chosen` })),
};
