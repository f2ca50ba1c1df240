import type { CoreStatistics, KernelReport } from '../../actors/chiplet/gpu/statistics.ts';
import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { type InstructionClass, instructionClasses } from '../../actors/chiplet/ptx/instruction.ts';

/** Constants of the power model, which is ours and fitted to nothing (chiplet specification 7.5). Picojoules a lane, or a segment. */
export interface EnergyConstants {
  readonly integer: number;
  readonly float: number;
  readonly double: number;
  readonly special: number;
  readonly sharedAccess: number;
  readonly l1Access: number;
  readonly segment: number;
  /** Watts of a chiplet at any time. */
  readonly staticWatts: number;
}

export const defaultEnergy: EnergyConstants = {
  integer: 10,
  float: 12,
  double: 40,
  special: 30,
  sharedAccess: 15,
  l1Access: 40,
  segment: 2000,
  staticWatts: 20,
};

/** Power of a chiplet over its kernels. */
export interface GpuPower {
  readonly seconds: number;
  readonly joules: number;
  readonly dynamicWatts: number;
  readonly staticWatts: number;
  readonly watts: number;
}

/** Energy of one lane of a class; control, constants and messages cost what an integer costs. */
function energyOf(one: InstructionClass, energy: EnergyConstants): number {
  if (one.startsWith('float')) return energy.float;
  if (one.startsWith('double')) return energy.double;
  if (one === 'special') return energy.special;
  if (one === 'shared') return energy.sharedAccess;
  if (one === 'global' || one === 'atomic') return energy.l1Access;
  return energy.integer;
}

/** Picojoules of what cores did. */
export function dynamicEnergy(statistics: CoreStatistics, energy: EnergyConstants = defaultEnergy): number {
  const lanes = statistics.counts.lanesOfClass.reduce(
    (sum, count, at) => sum + count * energyOf(instructionClasses[at]!, energy),
    0,
  );
  return lanes + (statistics.l1Misses + statistics.segmentsWritten) * energy.segment;
}

/** Power over the cycles of kernels; 0 dynamic watts when they took none. */
export function powerOf(
  reports: readonly KernelReport[],
  { clockMegahertz }: Pick<GpuTiming, 'clockMegahertz'>,
  energy: EnergyConstants = defaultEnergy,
): GpuPower {
  const cycles = reports.reduce((sum, one) => sum + one.cycles, 0);
  const seconds = cycles / (clockMegahertz * 1e6);
  const joules = reports.reduce((sum, { statistics }) => sum + dynamicEnergy(statistics, energy), 0) * 1e-12;
  const dynamicWatts = seconds === 0 ? 0 : joules / seconds;
  const { staticWatts } = energy;
  return { seconds, joules, dynamicWatts, staticWatts, watts: dynamicWatts + staticWatts };
}

/** The power report file of a chiplet, as text. */
export function powerReport(name: string, power: GpuPower): string {
  const lines: readonly (readonly [string, number])[] = [
    ['simulated_seconds', power.seconds],
    ['dynamic_energy_joules', power.joules],
    ['dynamic_power_watts', power.dynamicWatts],
    ['static_power_watts', power.staticWatts],
    ['total_power_watts', power.watts],
  ];
  return `${name} power (model constants, not measured)\n${lines.map(([key, value]) => `${key} = ${Number(value.toPrecision(6))}\n`).join('')}`;
}
