import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionalCoordinator } from '../../../actors/chiplet/interchiplet/functional-coordinator.ts';
import { hopLatencies } from '../../../actors/chiplet/interchiplet/hop-latencies.ts';
import { network } from '../../../actors/chiplet/interchiplet/network.ts';
import { process } from '../../../actors/chiplet/interchiplet/process.ts';
import { rounds } from '../../../actors/chiplet/interchiplet/rounds.ts';
import type { Script } from '../../../actors/chiplet/interchiplet/script.ts';
import { timingCoordinator } from '../../../actors/chiplet/interchiplet/timing-coordinator.ts';
import { outside } from '../../../actors/chiplet/outside.ts';
import { type ContractSubject, contractOf } from '../../../kernel/contract.ts';
import type { Address } from '../../../kernel/message.ts';
import { fixed } from '../../../kernel/resource.ts';

const at = (address: number) => address as Address;
const typed = <T extends string>(type: T) => fc.constant(type);
const by = fc.nat(2).map(at);
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
const load = fc.record({
  type: typed('round.load'),
  round: fc.integer({ min: 1, max: 3 }),
  records: fc.array(record, { maxLength: 5 }),
});
const functional = fc.oneof(
  fc.record({
    type: fc.constantFrom('command.send', 'command.receive', 'command.launch', 'command.waitlaunch'),
    by,
    source: place,
    target: place,
  }),
  fc.record({
    type: typed('command.waitlaunch'),
    by,
    source: fc.constant({ x: -1, y: -1 }),
    target: place,
  }),
  fc.record({ type: typed('command.barrier'), by, source: place, uid, count: fc.nat(2) }),
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('command.lock', 'command.unlock'), by, source: place, uid }),
  },
);
const timing = fc.record({
  type: fc.constantFrom('command.write', 'command.read'),
  by,
  cycle,
  source: place,
  target: place,
  bytes,
  description,
});
const bench = fc.record({
  sourceCycle: cycle,
  targetCycle: cycle,
  source: place,
  target: place,
  flits: fc.integer({ min: 1, max: 4 }),
  description,
});
const delayLine = record.map(({ line: _line, ...one }) => one);
const answers = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ type: typed('answer.result'), values: fc.constant([0, 1]) }),
  },
  { weight: 2, arbitrary: fc.record({ type: typed('answer.sync'), cycle }) },
  fc.record({ type: typed('process.wake') }),
);
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
const begin = fc.record({ type: typed('process.begin'), round: fc.integer({ min: 1, max: 3 }) });
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
      events: fc.oneof({ weight: 5, arbitrary: answers }, begin),
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
      events: fc.oneof(
        { weight: 12, arbitrary: functional },
        load,
        fc.record({ type: typed('record.used'), source: place, line: fc.nat(5) }),
        { weight: 3, arbitrary: fc.record({ type: typed('process.parked'), process: by }) },
        fc.record({ type: typed('process.freed'), process: by }),
        { weight: 2, arbitrary: fc.record({ type: typed('order.doubt'), sure: fc.boolean() }) },
      ),
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
      events: fc.oneof(
        { weight: 14, arbitrary: timing },
        load,
        fc.record({ type: typed('records.discard') }),
        fc.record({ type: typed('command.cycle'), by, cycle }),
      ),
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
      events: fc.oneof(
        { weight: 4, arbitrary: fc.record({ type: typed('bench.add'), line: bench }) },
        {
          weight: 8,
          arbitrary: fc.record({ type: typed('process.ended'), process: fc.nat(1).map(at), time: cycle }),
        },
        {
          weight: 3,
          arbitrary: fc.record({ type: typed('network.done'), lines: fc.array(delayLine, { maxLength: 3 }) }),
        },
        { weight: 3, arbitrary: fc.record({ type: typed('rounds.begin') }) },
      ),
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
      events: fc.record({ type: typed('network.run'), bench: fc.array(bench, { maxLength: 4 }) }),
    },
  ],
  [
    'outside',
    {
      machine: outside,
      input: () => ({}),
      events: fc.oneof(answers.filter(({ type }) => type !== 'process.wake')),
    },
  ],
])('%s', (name, subject) => {
  // What a network makes of a trace is a function, which JSON does not know.
  for (const { sentence, failures } of contractOf(name, subject).filter(
    (one) => name !== 'network' || !one.sentence.endsWith('its state survives JSON'),
  ))
    test(sentence, () => expect(failures()).toEqual([]));
});
