import type { AnyStateMachine } from 'xstate';
import { abdKit, beginRecording } from '../../actors/protocols/abd-server.ts';
import { paxosKit } from '../../actors/protocols/paxos-server.ts';
import { compareBallots, majorityOf, nil, peersOf } from '../../actors/protocols/put-get.ts';
import { singleCopyKit } from '../../actors/protocols/single-copy-server.ts';
import type { Address } from '../../kernel/message.ts';
import { mutantsOf } from '../mutant.ts';
import { planting } from '../planting.ts';

/** What can be wrong with a server that keeps its own copy. */
export const singleCopyMutants = mutantsOf<AnyStateMachine>({
  'lost-put': {
    sentence: 'a put is confirmed and forgotten',
    mutate: planting({ actions: { store: singleCopyKit.update(() => {}) } }),
  },
  'get-takes-away': {
    sentence: 'a get takes the value away',
    mutate: planting({
      actions: {
        answer: singleCopyKit.act<'Get'>((s, { request }, out) => {
          out.post({ to: out.from, type: 'GetOk', request, value: s.value });
          s.value = nil;
        }),
      },
    }),
  },
  'stale-get': {
    sentence: 'a get is answered with the first value, as if nothing had been put',
    mutate: planting({
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
});

/** What can be wrong with a server of an atomic register. */
export const abdMutants = mutantsOf<AnyStateMachine>({
  'acks-without-recording': {
    sentence: 'a server acknowledges what it is told to record, and does not record it',
    mutate: planting({ guards: { isNewer: abdKit.when<'Record'>(() => false) } }),
  },
  'oldest-response': {
    sentence: 'an operation goes on with the oldest of the answers instead of the latest',
    mutate: planting({
      actions: {
        record: abdKit.act<'AckQuery'>((s, _event, out) => {
          const [oldest] = [...s.responses].sort((a, b) => compareBallots(a.sequencer, b.sequencer));
          s.responses = [oldest!];
          beginRecording(s, out);
        }),
      },
    }),
  },
  'same-number': {
    sentence: 'a write is recorded under the number of the write before it',
    mutate: planting({
      actions: {
        record: abdKit.act<'AckQuery'>((s, _event, out) => {
          if (s.write !== null)
            s.responses = s.responses.map((one) => ({
              ...one,
              sequencer: [one.sequencer[0] - 1, 0 as Address],
            }));
          beginRecording(s, out);
        }),
      },
    }),
  },
  'adopts-older': {
    sentence: 'a server records what it is told, even when it knows something newer',
    mutate: planting({ guards: { isNewer: abdKit.when<'Record'>(() => true) } }),
  },
});

/** What can be wrong with a server of Paxos. */
export const paxosMutants = mutantsOf<AnyStateMachine>({
  'forgets-accepted': {
    sentence: 'a promise does not tell what was accepted before',
    mutate: planting({
      actions: {
        promise: paxosKit.act<'Prepare'>((s, { ballot }, out) => {
          s.ballot = ballot;
          out.post({ to: out.from, type: 'Prepared', ballot, last: null });
        }),
      },
    }),
  },
  'keeps-own-proposal': {
    sentence: 'a proposer keeps its own proposal whatever the promises tell',
    mutate: planting({
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
  'accepts-lower': {
    sentence: 'a server accepts in a ballot that is lower than the one it has promised',
    mutate: planting({ guards: { isNotLower: paxosKit.when<'Accept'>(() => true) } }),
  },
});
