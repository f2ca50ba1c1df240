import type { HostStep } from '../../actors/chiplet/gpu/host-steps.ts';
import type { SystemConfig } from './system-config.ts';
import type { SystemFinding } from './system-programs.ts';

/** Operations that need a device. */
const ofDevice: ReadonlySet<HostStep['op']> = new Set([
  'malloc',
  'symbol',
  'free',
  'copyIn',
  'copyOut',
  'launch',
]);

/**
 * What is wrong with the steps of a program on the chiplets that run it (chiplet specification 13, E-ADDR, E-PROG): messages to or from places where no chiplet is, and
 * operations of a device on a chiplet that has none.
 */
export function stepFindings(
  name: string,
  steps: readonly HostStep[],
  { chiplets, network: { A } }: Pick<SystemConfig, 'chiplets' | 'network'>,
): readonly SystemFinding[] {
  const places = chiplets.map(({ x, y }) => `(${x}, ${y})`);
  const runs = chiplets.filter(({ program }) => program === name);
  const onCpu = runs.find(({ kind }) => kind === 'cpu');
  const findings: SystemFinding[] = [];
  if (runs.length === 0) return findings;
  for (const [at, step] of steps.entries()) {
    const path = ['programs', 'hosts', name, 'steps', at];
    if (onCpu && ofDevice.has(step.op))
      findings.push({
        path,
        found: `E-PROG ${step.op} in the program of the CPU chiplet (${onCpu.x}, ${onCpu.y})`,
        expected: 'operations of a device on GPU chiplets only',
      });
    if (step.op !== 'send' && step.op !== 'receive') continue;
    const [key, peer] = step.op === 'send' ? (['to', step.to] as const) : (['from', step.from] as const);
    if (places.includes(`(${peer.join(', ')})`)) continue;
    const outside = peer.some((coordinate) => coordinate >= A);
    findings.push({
      path: [...path, key],
      found: `E-ADDR (${peer.join(', ')})${outside ? `, outside a network of ${A} routers in each dimension` : ', where no chiplet is'}`,
      expected: `one of ${places.join(' ')}`,
    });
  }
  return findings;
}
