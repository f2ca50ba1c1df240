import type { AnyStateMachine } from 'xstate';
import { abdKit } from '../../actors/protocols/abd-server.ts';
import { paxosKit } from '../../actors/protocols/paxos-server.ts';
import { majorityOf, nil, peersOf } from '../../actors/protocols/put-get.ts';
import { singleCopyKit } from '../../actors/protocols/single-copy-server.ts';
import type { Mutants } from '../mutant.ts';
import { planted } from '../planting.ts';

/** What can be wrong with a server that keeps its own copy. */
export const singleCopyMutants: Mutants<AnyStateMachine> = new Map([
  [
    'lost-put',
    {
      sentence: 'a put is confirmed and forgotten',
      mutate: (server) => planted(server, { actions: { store: singleCopyKit.update(() => {}) } }),
    },
  ],
  [
    'first-put-stays',
    {
      sentence: 'only the first put is carried out',
      mutate: (server) =>
        planted(server, {
          actions: {
            store: singleCopyKit.update<'Put'>((s, { value }) => {
              if (s.value === nil) s.value = value;
            }),
          },
        }),
    },
  ],
  [
    'stale-get',
    {
      sentence: 'a get is answered with the first value, as if nothing had been put',
      mutate: (server) =>
        planted(server, {
          actions: {
            answer: singleCopyKit.post<'Get'>((_s, { request }, { from: to }) => ({
              to,
              type: 'GetOk',
              request,
              value: nil,
            })),
          },
        }),
    },
  ],
]);

/** What can be wrong with a server of an atomic register. */
export const abdMutants: Mutants<AnyStateMachine> = new Map([
  [
    'no-majority',
    {
      sentence: 'one answer besides its own is enough, however many servers there are',
      mutate: (server) =>
        planted(server, {
          guards: {
            completesQuery: abdKit.when<'AckQuery'>((s, { request }) => request === s.request),
            completesRecord: abdKit.when<'AckRecord'>(() => true),
          },
        }),
    },
  ],
  [
    'adopts-older',
    {
      sentence: 'a server adopts what it is told to record, even when it knows something newer',
      mutate: (server) => planted(server, { guards: { isNewer: abdKit.when<'Record'>(() => true) } }),
    },
  ],
  [
    'read-is-not-recorded',
    {
      sentence: 'what a read found is not recorded: the peers are told of the own value',
      mutate: (server) =>
        planted(server, {
          actions: {
            record: abdKit.act<'AckQuery'>((s, _event, out) => {
              const { request, sequencer, value, responses, write } = s;
              const latest = [...responses].sort(
                (a, b) => a.sequencer[0] - b.sequencer[0] || a.sequencer[1] - b.sequencer[1],
              );
              s.read = write === null ? latest.at(-1)!.value : null;
              if (write !== null)
                Object.assign(s, { sequencer: [latest.at(-1)!.sequencer[0] + 1, out.self], value: write });
              const told = write === null ? { sequencer, value } : { sequencer: s.sequencer, value: s.value };
              for (const to of peersOf(s, out.self)) out.post({ to, type: 'Record', request, ...told });
              Object.assign(s, { responses: [], write: null, acks: [out.self] });
            }),
          },
        }),
    },
  ],
]);

/** What can be wrong with a server of Paxos. */
export const paxosMutants: Mutants<AnyStateMachine> = new Map([
  [
    'forgets-accepted',
    {
      sentence: 'a promise does not tell what was accepted before',
      mutate: (server) =>
        planted(server, {
          actions: {
            promise: paxosKit.act<'Prepare'>((s, { ballot }, out) => {
              s.ballot = ballot;
              out.post({ to: out.from, type: 'Prepared', ballot, last: null });
            }),
          },
        }),
    },
  ],
  [
    'keeps-own-proposal',
    {
      sentence: 'a proposer keeps its own proposal whatever the promises tell',
      mutate: (server) =>
        planted(server, {
          actions: {
            notePromise: paxosKit.act<'Prepared'>((s, { ballot, last }, out) => {
              const others = s.prepares.filter((one) => one.server !== out.from);
              s.prepares = [...others, { server: out.from, last }].sort((a, b) => a.server - b.server);
              if (s.prepares.length !== majorityOf(s)) return;
              const proposal = s.proposal!;
              s.accepted = { ballot, proposal };
              s.accepts = [out.self];
              for (const to of peersOf(s, out.self)) out.post({ to, type: 'Accept', ballot, proposal });
            }),
          },
        }),
    },
  ],
  [
    'accepts-lower',
    {
      sentence: 'a server accepts in a ballot that is lower than the one it has promised',
      mutate: (server) => planted(server, { guards: { isNotLower: paxosKit.when<'Accept'>(() => true) } }),
    },
  ],
]);
