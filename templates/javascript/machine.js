import fc from 'fast-check';
import {
  atMostOne,
  defineMachine,
  leadsTo,
  mutantSentences,
  patternsOf,
  Wiring,
  withMutants,
} from 'lockstep';
import { z } from 'zod';
import { client, lockProtocol, server, serverKit } from './protocol.js';

const { message, shown } = patternsOf(lockProtocol);

/** What must hold in every run. */
const properties = [
  atMostOne('at most one client works', shown('work.begun'), shown('work.ended')),
  leadsTo(
    'whoever asks gets the lock',
    message('lock.ask', { key: 'from' }),
    message('lock.granted', { key: 'to' }),
  ),
];

/** Planted faults: a property must find each of them. */
const mutants = new Map([
  [
    'hasty-server',
    {
      sentence: 'the server takes it that a client who asks again has given the lock back',
      mutate: (right) =>
        right.provide({
          actions: {
            queue: serverKit.act((me, _event, out) => {
              if (out.from === me.holder) out.post({ to: out.from, type: 'lock.granted' });
              else me.queue.push(out.from);
            }),
          },
        }),
    },
  ],
]);

export const lockServer = defineMachine({
  name: 'lock-server',
  summary: 'clients who share a lock that a server lends',
  config: z.strictObject({
    clients: z.int().min(1).max(9).default(2).describe('how many clients there are'),
    rounds: z.int().min(0).max(9).default(2).describe('how often each of them wants the lock'),
  }),
  asynchronous: true,
  protocol: lockProtocol,
  symmetric: 'Client',
  properties,
  mutants: mutantSentences(mutants),
  generator: fc
    .record({ clients: fc.integer({ min: 1, max: 4 }), rounds: fc.integer({ min: 1, max: 3 }) })
    .map((config) => ({ name: 'generated: lock server', config, programs: [] })),
  assemble: ({ config: { clients, rounds }, mutants: planted }) => {
    const wiring = new Wiring({});
    const { Client, Server } = lockProtocol.roles;
    const lock = Server.reserve(wiring);
    wiring.place(lock, withMutants(server, mutants, planted), undefined);
    for (const address of Client.reserve(wiring, clients))
      wiring.place(address, client, { server: lock, rounds });
    return { wiring, result: (run) => ({ grants: Number(run.part(lock).context['grants']) }) };
  },
  figures: ({ grants }) => [{ label: 'grants', value: String(grants) }],
});
