import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionalCoordinator } from '../../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { hopLatencies } from '../../../actors/chiplet/interchiplet/hop-latencies.ts';
import { network } from '../../../actors/chiplet/interchiplet/network.ts';
import { process } from '../../../actors/chiplet/interchiplet/process.ts';
import { interchipletProtocol } from '../../../actors/chiplet/interchiplet/protocol.ts';
import { rounds } from '../../../actors/chiplet/interchiplet/rounds.ts';
import type { Script } from '../../../actors/chiplet/interchiplet/script.ts';
import { timingCoordinator } from '../../../actors/chiplet/interchiplet/timing-coordinator.ts';
import { outside } from '../../../actors/chiplet/outside.ts';
import { type ContractSubject, contractOf } from '../../../kernel/contract.ts';
import type { Address } from '../../../kernel/message.ts';
import { fixed } from '../../../kernel/resource.ts';

const { roles } = interchipletProtocol;
const at = (address: number) => address as Address;
const place = fc.record({ x: fc.nat(1), y: fc.nat(1) });
const uid = fc.nat(1);
const cycle = fc.nat(40);
const bytes = fc.constantFrom(1, 64, 128);
const description = fc.constantFrom(0, 0x10000, 0x20002, 0x20000, 0x40000, 0x80000);

const record = fc
  .record({ line: fc.nat(5), cycle, source: place, target: place, description, delay: fc.nat(9) })
  .map(({ delay, ...one }) => ({
    ...one,
    latencies: one.description === 0 ? [delay, delay + 1] : [delay, delay + 1, 0, delay],
  }));
const bench = fc.record({
  sourceCycle: cycle,
  targetCycle: cycle,
  source: place,
  target: place,
  flits: fc.integer({ min: 1, max: 4 }),
  description,
});
const delayLine = record.map(({ line: _line, ...one }) => one);
const round = fc.integer({ min: 1, max: 3 });
const values = {
  source: place,
  target: place,
  uid,
  bytes,
  description,
  round,
  records: fc.array(record, { maxLength: 5 }),
};
/** Processes that there are. */
const members = { Process: [0, 1, 2] };
const script: Script = [
  ['compute', 5],
  ['send', 0, 1, 64],
  ['sleep', 0.5],
  ['barrier', 1, 2],
  ['lock', 1],
  ['unlock', 1],
  ['waitlaunch'],
  ['recv', 1, 1, 64],
  ['launch', 0, 1],
];
/** A process is answered only what it waits for. */
const [answer, sync, wake, start] = ['answer.result', 'answer.sync', 'process.wake', 'process.begin'];
const asking = [sync!, wake!, start!];

describe.each<[string, ContractSubject]>([
  [
    'process',
    {
      machine: process,
      input: () => ({
        self: at(0),
        place: { x: 0, y: 0 },
        script,
        functionalCoordinator: at(3),
        timingCoordinator: at(4),
        processes: { '0,0': at(0), '0,1': at(1) },
      }),
      speaks: roles.Process,
      values: { round, values: fc.constant([0, 1]), cycle },
      weights: { 'answer.result': 2, 'answer.sync': 2 },
      eventsMax: 60,
      runs: 70,
      undecided: {
        resting: [answer!, sync!, wake!],
        sleeping: [answer!, sync!, start!],
        openingPipe: asking,
        atBarrier: asking,
        atLock: asking,
        atLaunch: asking,
        timing: [answer!, wake!, start!],
      },
    },
  ],
  [
    'functional coordinator',
    {
      machine: functionalCoordinator,
      input: () => ({ self: at(3), timingCoordinator: at(4), processes: 3 }),
      speaks: roles.FunctionalDesk,
      members,
      values: {
        ...values,
        'command.waitlaunch.source': fc.oneof(place, fc.constant({ x: -1, y: -1 })),
        'command.barrier.count': fc.nat(2),
        line: fc.nat(5),
      },
      weights: { 'command.waitlaunch': 2, 'command.lock': 2, 'command.unlock': 2, 'process.parked': 2 },
      runs: 70,
    },
  ],
  [
    'timing coordinator',
    {
      machine: timingCoordinator,
      input: () => ({
        functionalCoordinator: at(3),
        rounds: at(5),
        clockRates: { 0: 1, 1: 0.5, 2: 3 },
        networkRate: 2,
        flitBytes: 64,
      }),
      speaks: roles.TimingDesk,
      members,
      values: { ...values, cycle },
      weights: { 'command.write': 7, 'command.read': 7 },
      runs: 70,
    },
  ],
  [
    'loop over rounds',
    {
      machine: rounds,
      input: () => ({
        coordinators: [at(3), at(4)],
        processes: [at(0), at(1)],
        network: at(6),
        roundsMax: 3,
        errorRate: 0.2,
        networkRate: 2,
        delay: [],
        previousCycles: null,
      }),
      speaks: roles.Rounds,
      members: { Process: [0, 1] },
      values: { line: bench, time: cycle, lines: fc.array(delayLine, { maxLength: 3 }) },
      weights: { 'bench.add': 4, 'process.ended': 8, 'network.done': 3, 'rounds.begin': 3 },
      runs: 100,
      undecided: {
        resting: ['bench.add', 'process.ended', 'network.done'],
        phase1: ['rounds.begin', 'network.done'],
        phase2: ['rounds.begin', 'bench.add', 'process.ended'],
        converged: ['rounds.begin', 'bench.add', 'process.ended', 'network.done'],
        incomplete: ['rounds.begin', 'bench.add', 'process.ended', 'network.done'],
      },
    },
  ],
  [
    'network',
    {
      machine: network,
      input: () => ({ rounds: at(5), phase2: fixed(hopLatencies) }),
      speaks: roles.Network,
      values: { bench: fc.array(bench, { maxLength: 4 }) },
    },
  ],
  [
    'outside',
    {
      machine: outside,
      input: () => ({}),
      speaks: roles.Process,
      values: { values: fc.constant([0, 1]), cycle },
      weights: { 'process.begin': 0, 'process.wake': 0 },
    },
  ],
])('%s', (name, subject) => {
  // What a network makes of a trace is a function, which JSON does not know.
  for (const { sentence, failures } of contractOf(name, subject).filter(
    (one) => name !== 'network' || !one.sentence.endsWith('its state survives JSON'),
  ))
    test(sentence, () => expect(failures()).toEqual([]));
});
