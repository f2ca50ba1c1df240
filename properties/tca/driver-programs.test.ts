import fc from 'fast-check';
import { expect, test } from 'vitest';
import { driverErrors } from '../../actors/tca/driver/errors.ts';
import { tcaPrograms } from '../../machines/tca/config.ts';
import { driverPrograms, driverSteps } from './driver-lists.arbitrary.ts';
import { trial } from './trial.ts';
import { configOf, memoryBytes } from './workloads.ts';

/** A run of calls of the driver on the first of two nodes. */
const raisedBy = (driver: readonly object[]): readonly string[] =>
  trial({
    name: 'test',
    config: configOf(),
    programs: tcaPrograms.parse([{ driver }]),
    mutants: [],
    scheduled: false,
  }).raised;

const taken = [
  { call: 'malloc', as: 'memory', kind: 'gpu', bytes: 4096 },
  { call: 'handle', as: 'own', memory: 'memory' },
  { call: 'chain', as: 'chain' },
] as const;

test('calls of the driver as data go as their list says', () => {
  const copy = { call: 'memcpy', chain: 'chain', to: ['own', 64], from: ['own', 0] } as const;

  expect(
    raisedBy([
      ...taken,
      { ...copy, bytes: 6, refused: 'EALIGN' },
      { ...copy, bytes: 8192, refused: 'ERANGE' },
      { ...copy, bytes: 64, notify: true, slot: 3, tag: 7 },
      { call: 'start', channel: 0, refused: 'ECHAIN' },
      { call: 'load', chain: 'chain', channel: 0 },
      { call: 'start', channel: 0 },
      { call: 'start', channel: 0, refused: 'EBUSY' },
      { call: 'receive', node: 0, slot: 3, tag: 7 },
    ]),
  ).toEqual([]);
});

test.each([
  ['a refusal that does not come', [...taken, { call: 'free', memory: 'memory', refused: 'ENOTREG' }]],
  ['a refusal that nobody expects', [...taken, { call: 'start', channel: 4 }]],
  ['a name that nothing has', [{ call: 'free', memory: 'nothing' }]],
])('%s ends the run with an error', (_, driver) => {
  expect(raisedBy(driver)).toEqual(['error']);
});

test('generated calls are refused with every code of the driver, and most of them are not', () => {
  const world = { nodes: 3, cpuBytes: memoryBytes, gpuBytes: memoryBytes };
  const calls = fc
    .sample(driverSteps, { seed: 5, numRuns: 200 })
    .flatMap((steps) => driverPrograms(steps, world))
    .flatMap(({ driver }) => driver as readonly { readonly refused?: string }[]);
  const codes = calls.flatMap(({ refused }) => refused ?? []);

  expect(new Set(codes)).toEqual(new Set(Object.keys(driverErrors)));
  expect(codes.length).toBeLessThan(calls.length / 4);
});

test('a notify word in CPU memory is in place before its chain can read it, however quick the chip is', () => {
  const quick = { descriptorFetch: 1, dmacStart: 1, cpuReadLatency: 1, readIssueInterval: 1 };
  const { raised } = trial({
    name: 'test',
    config: configOf({ parameters: quick }),
    programs: tcaPrograms.parse([
      {
        driver: [
          ...taken,
          {
            call: 'memcpy',
            chain: 'chain',
            to: ['own', 64],
            from: ['own', 0],
            bytes: 4,
            notifySelf: true,
            notifyInternal: false,
            slot: 3,
            tag: 7,
          },
          { call: 'load', chain: 'chain', channel: 0 },
          { call: 'start', channel: 0 },
          { call: 'receive', node: 0, slot: 3, tag: 7 },
        ],
      },
    ]),
    mutants: [],
    scheduled: false,
  });

  expect(raised).toEqual([]);
});
