import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContractSubject, contractOf } from '../../kernel/contract.ts';
import { coordinator } from './coordinator.ts';
import { dekker } from './dekker.ts';
import { participant } from './participant.ts';
import { peterson } from './peterson.ts';
import { register } from './register.ts';
import { registerClient } from './register-client.ts';
import { resourceManager } from './resource-manager.ts';
import { stableLog } from './stable-log.ts';
import { transactionManager } from './transaction-manager.ts';
import { turnProgram } from './turn-program.ts';
import { turns } from './turns.ts';

const event = <T extends string>(...types: readonly T[]) => fc.record({ type: fc.constantFrom(...types) });
const party = fc.integer({ min: 1, max: 3 });
const value = fc.record({ type: fc.constant('register.value'), value: fc.integer({ min: 0, max: 1 }) });
const decisions = ['transaction.commit', 'transaction.abort'] as const;
const answers = fc.oneof(event('register.written'), value);

/** Programs of processes: each line knows the answer to its own request only, and nobody begins twice. */
const contending = (machine: ContractSubject['machine']): ContractSubject => {
  const undecided = Object.fromEntries(
    Object.entries(machine.states).map(([line, { ownEvents }]) => [
      line,
      ['process.begin', 'register.written', 'register.value'].filter((type) => !ownEvents.includes(type)),
    ]),
  );
  return {
    machine,
    input: () => ({ number: 0, self: 0, flags: [2, 3], turn: 4, rounds: 2 }),
    events: fc.oneof(event('process.begin'), answers),
    undecided,
  };
};

const subjects: Readonly<Record<string, ContractSubject>> = {
  turns: {
    machine: turns,
    input: () => ({ self: 0 }),
    events: fc.oneof(
      fc.record({ type: fc.constant('turn.ask'), by: party }),
      fc.record({ type: fc.constant('turn.ask'), by: party, for: party }),
      event('turn.next'),
    ),
    undecided: { quiet: ['turn.next'] },
  },
  'resource manager': {
    machine: resourceManager,
    input: () => ({ number: 0, self: 0, manager: 1, turns: 2 }),
    events: event('turn.take', ...decisions),
    undecided: { committed: ['turn.take'], aborted: ['turn.take'] },
  },
  'transaction manager': {
    machine: transactionManager,
    input: () => ({ self: 0, turns: 1, rms: [2, 3] }),
    events: fc.oneof(
      event('turn.take'),
      fc.record({ type: fc.constant('transaction.prepared'), rm: fc.nat(1) }),
    ),
    undecided: { committed: ['turn.take'], aborted: ['turn.take'] },
  },
  participant: {
    machine: participant,
    input: () => ({ self: 0, coordinator: 1, log: 2 }),
    events: fc.oneof(
      event('vote.request', 'decision.commit', 'decision.abort', 'log.written'),
      fc.record({ type: fc.constant('log.value'), first: fc.boolean(), promised: fc.boolean() }),
    ),
  },
  coordinator: {
    machine: coordinator,
    input: () => ({ self: 0, participants: [1, 2], patienceTicks: 3 }),
    events: fc.oneof(
      event('transaction.begin', 'votes.timeout'),
      fc.record({ type: fc.constantFrom('vote.yes', 'vote.no', 'decision.ask'), by: fc.constantFrom(1, 2) }),
    ),
  },
  'stable log': {
    machine: stableLog,
    input: () => ({ owner: 0, keeps: true }),
    events: event('log.read', 'log.write'),
  },
  register: {
    machine: register,
    input: () => ({ self: 0, turns: 9, value: 0 }),
    events: fc.oneof(
      fc.record({ type: fc.constant('register.read'), by: party }),
      fc.record({ type: fc.constant('register.write'), by: party, value: fc.nat(2) }),
      fc.record({ type: fc.constant('turn.take'), for: party }),
    ),
  },
  'client of a register': {
    machine: registerClient,
    input: () => ({ self: 0, register: 1, writes: [7, 8], reads: 2 }),
    events: fc.oneof(event('client.begin'), answers),
    undecided: {
      resting: ['register.written', 'register.value'],
      writing: ['client.begin', 'register.value'],
      reading: ['client.begin', 'register.written'],
      finished: ['client.begin', 'register.written', 'register.value'],
    },
  },
  'program by turns': {
    machine: turnProgram,
    input: () => ({
      self: 0,
      turns: 1,
      process: 0,
      program: [
        { line: 'receive' },
        { line: 'show', type: 'used' },
        { line: 'acquire', mutex: 2 },
        { line: 'release', mutex: 2 },
      ],
      loops: false,
    }),
    events: event('turn.take', 'token', 'mutex.granted'),
  },
  "Peterson's algorithm": contending(peterson),
  "Dekker's algorithm": contending(dekker),
};

/** A participant that begins anew is told nothing, so it asks its log, each time. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'participant: it does nothing unasked': ['participant: posted log.read before anybody sent it anything'],
};

for (const { sentence, failures } of Object.entries(subjects).flatMap(([name, one]) => contractOf(name, one)))
  test(sentence, () => expect(failures()).toEqual(expected[sentence] ?? []));
