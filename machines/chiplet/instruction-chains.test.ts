import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { h100Classes, h100Sequences } from './h100-latencies.ts';
import { h100Warm } from './h100-timing.ts';
import { instructionRows, measuredLatencies } from './instruction-chains.ts';

const measured = measuredLatencies.parse(
  JSON.parse(readFileSync('properties/chiplet/golden/gpu-programs/latencies.json', 'utf8')),
);

test('rows that name a measured chain have its cycles, to the next whole one', () => {
  const rows = Object.values({ ...h100Classes, ...h100Sequences }).filter(
    ([, , chain]) => chain in measured.latencies,
  );
  expect(rows.length).toBeGreaterThan(30);
  for (const [latency, , chain] of rows)
    expect(Math.abs(latency - measured.latencies[chain]!.latency), chain).toBeLessThan(0.6);
});

test('a chain of instructions takes what the preset says, as measured', () => {
  const few = [
    'int_add',
    'int_div_s',
    'setp_guard_add',
    'f32_rzi_pair',
    'i64_setp_selp',
    'atom_shared_one_word',
    'fence_sys',
  ];
  const latencies = Object.fromEntries(few.map((name) => [name, measured.latencies[name]!]));
  for (const { name, error } of instructionRows({ ...measured, latencies }, h100Warm))
    expect(Math.abs(error), name).toBeLessThan(0.07);
  // The shipped chiplet has other cycles.
  const [sum] = instructionRows({ ...measured, latencies }, defaultTiming);
  expect(sum!.predicted).toBe(4);
});
