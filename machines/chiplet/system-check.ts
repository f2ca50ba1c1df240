import { clockTicks } from './clock-ratios.ts';
import { networkMisfits } from './plan.ts';
import type { SystemConfig, SystemPrograms } from './system-config.ts';
import { programFindings, type SystemFinding } from './system-programs.ts';

/** Ticks that a cycle of the network may have. */
const cycleTicksMax = 2 ** 20;

/** What does not fit together in a system (chiplet specification 13: E-ADDR, E-OPT, E-PROG, E-PTX, E-FILE). */
export function systemFindings(config: SystemConfig, programs: SystemPrograms): readonly SystemFinding[] {
  const misfits = networkMisfits(config.network);
  return misfits.length > 0
    ? misfits.map(({ key, found, expected }) => ({ path: ['config', 'network', key], found, expected }))
    : [...meshFindings(config), ...placeFindings(config), ...programFindings(config, programs)];
}

function meshFindings({
  mode,
  network,
  chiplets,
  trustKernelSource,
}: SystemConfig): readonly SystemFinding[] {
  const findings: SystemFinding[] = [];
  const refuse = (path: readonly (string | number)[], found: string, expected: string) =>
    findings.push({ path: ['config', ...path], found, expected });
  if (network.c > 2)
    refuse(['network', 'c'], `E-OPT c = ${network.c}`, '2, or 1 with a graph: chiplets have two coordinates');
  if (mode === 'coupled' && network.ties !== 'fifo')
    refuse(
      ['network', 'ties'],
      `E-OPT ${network.ties} in a coupled run`,
      'fifo: the order of a heap is known only for a trace that is given',
    );
  if (mode !== 'decoupled' && network.loss)
    refuse(
      ['network', 'loss'],
      `E-OPT true in a run that is ${mode}`,
      'false, or mode: decoupled: who receives a message that is lost would wait for ever',
    );
  const rates = chiplets.map(({ clockRate }) => clockRate);
  const uneven = rates.findIndex((rate) => Math.abs(rate * 1000 - Math.round(rate * 1000)) > 1e-6);
  if (uneven >= 0)
    refuse(
      ['chiplets', uneven, 'clockRate'],
      `E-OPT ${rates[uneven]}`,
      'thousandths: no more than three digits after the point',
    );
  else if (clockTicks(rates).network > cycleTicksMax)
    refuse(
      ['chiplets'],
      `E-OPT clock rates ${[...new Set(rates)].join(', ')}`,
      `rates with a common calendar of at most ${cycleTicksMax} ticks a cycle`,
    );
  if (trustKernelSource && new Set(rates).size > 1)
    refuse(
      ['trustKernelSource'],
      'E-OPT true with different clock rates',
      'false: the cycle of a message is that of the chiplet that sends it',
    );
  return findings;
}

function placeFindings({ network: { A, c }, chiplets }: SystemConfig): readonly SystemFinding[] {
  const findings: SystemFinding[] = [];
  const seen = new Map<string, number>();
  // The router of (x, y) is number x A + y (chiplet specification 2): the nodes of a graph are those with x = 0.
  const limits = { x: c === 1 ? 1 : A, y: A };
  for (const [index, { x, y }] of chiplets.entries()) {
    for (const [key, value] of [
      ['x', x],
      ['y', y],
    ] as const)
      if (value >= limits[key])
        findings.push({
          path: ['config', 'chiplets', index, key],
          found: `E-ADDR coordinate ${value}`,
          expected:
            c === 1
              ? `(0, 0) to (0, ${A - 1}): the nodes of the graph`
              : `0 to ${A - 1}: the network has ${A} routers in each dimension`,
        });
    const place = `${x}, ${y}`;
    const first = seen.get(place);
    if (first === undefined) seen.set(place, index);
    else
      findings.push({
        path: ['config', 'chiplets', index],
        found: `E-ADDR a second chiplet at (${place}), the first is number ${first}`,
        expected: 'one chiplet at a place',
      });
  }
  return findings;
}
