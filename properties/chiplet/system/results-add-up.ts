import { instructionClasses } from '../../../actors/chiplet/ptx/instruction.ts';
import type { SystemAssembly, SystemGiven, SystemResult } from '../../../machines/chiplet/system.ts';
import { type ChipletState, chipletStates } from '../../../machines/chiplet/system-result.ts';
import type { Reference } from '../../with-reference.ts';

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);
const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

/** Picojoules of a lane of a class of instructions (chiplet specification 7.5). */
function picojoules(name: string): number {
  if (name.startsWith('float')) return 12;
  if (name.startsWith('double')) return 40;
  return { special: 30, shared: 15, global: 40, atomic: 40 }[name] ?? 10;
}

/** Watts of a GPU over its kernels: 20, and their energy at 700 MHz (chiplet specification 7.5). */
function wattsOf({ kernels }: ChipletState): number {
  const energy = kernels.map(({ statistics: { counts, l1Misses, segmentsWritten } }) =>
    sum([
      ...counts.lanesOfClass.map((lanes, at) => lanes * picojoules(instructionClasses[at]!)),
      2000 * (l1Misses + segmentsWritten),
    ]),
  );
  const cycles = sum(kernels.map((one) => one.cycles));
  return 20 + (cycles === 0 ? 0 : (sum(energy) * 700e6) / (cycles * 1e12));
}

/** The first figure of a result that is not what it is made up of (chiplet specification 6, 12, 13); undefined when all are. `states` are those of the chiplets after the run. */
export function resultFault(
  result: SystemResult,
  {
    mode,
    cpuPowerWatts,
    cpuPicojoulesPerCycle,
    syncFile,
    syncCount,
    chiplets: entries,
    network,
  }: SystemGiven['config'],
  states: readonly ChipletState[],
): string | undefined {
  const { chiplets, messages, power, totals, rounds = [], warnings, cycles } = result;
  const of = (key: 'sent' | 'received' | 'unread'): number => sum(chiplets.map((one) => one[key]));
  const systemCycles = Math.max(0, ...chiplets.map((one) => one.systemCycles));
  const last = rounds.at(-1);
  const isShort = last !== undefined && !last.converged;
  const gpuCycles = Math.max(0, ...states.map(({ kernels }) => sum(kernels.map((one) => one.cycles))));
  const phases = Math.max(0, ...states.map((one) => one.receivePhases));
  const figures: readonly (readonly [what: string, found: unknown, expected: unknown])[] = [
    ['complete', result.complete, !isShort],
    ['E-LIMIT of rounds', warnings.some((one) => one.startsWith('E-LIMIT round ')), isShort],
    ['other limits', warnings.filter((one) => /^E-(LIMIT [^r]|DEADLOCK)/.test(one)).length, 0],
    ['blocked', isShort ? 0 : result.blocked.length + result.circle.length, 0],
    ['messages sent', messages.sent, of('sent')],
    ['messages delivered', messages.delivered, messages.sent],
    ['values received', of('received'), messages.delivered],
    ['values unread', of('unread'), messages.unread],
    [
      'warnings of unread values',
      warnings.filter((one) => one.startsWith('W-UNREAD')).length > 0,
      messages.unread > 0,
    ],
    ['packets in the network', result.network.finished + (result.network.lostPackets ?? 0), messages.sent],
    ['programs that ended', chiplets.filter((one) => one.ended).length, chiplets.length],
    ['watts', power.total, power.gpu + power.cpu + power.network],
    ['watts of the network', power.network, result.network.totalPower],
    ['watts of GPUs', power.gpu, sum(chiplets.map(({ kind, watts }) => (kind === 'gpu' ? watts : 0)))],
    ...(cpuPicojoulesPerCycle === undefined
      ? [
          [
            'watts of CPUs',
            power.cpu,
            cpuPowerWatts * entries.filter(({ kind }) => kind === 'cpu').length,
          ] as const,
        ]
      : []),
    ...(mode === 'decoupled' && totals
      ? ([
          ['synchronisations', totals.synchronisations, syncCount ?? phases],
          ['cycles of GPUs', totals.gpuCycles, gpuCycles],
          ['formula A', cycles, (syncCount ?? phases) * result.network.avgDelay + gpuCycles],
          ['formula B', totals.formulaB, 16 * result.network.avgDelay + gpuCycles],
        ] as const)
      : [['cycles', cycles, systemCycles] as const]),
    ...(mode === 'iterative'
      ? [['rounds', rounds.map(({ round }) => round).join(), rounds.map((_, at) => at + 1).join()] as const]
      : states.flatMap((one, at) => [
          ['lines of a trace', one.trace.length, chiplets[at]!.sent] as const,
          ...(one.kind === 'gpu' && entries[at]!.config === undefined
            ? [['watts of a GPU', chiplets[at]!.watts, wattsOf(one)] as const]
            : []),
        ])),
    ...(syncFile.enabled
      ? [['a meeting', result.meetings !== undefined, true] as const]
      : chiplets.map(
          (one, at) =>
            ['cycles of the network', one.systemCycles, one.cycles / entries[at]!.clockRate] as const,
        )),
  ];
  for (const [what, found, expected] of figures)
    if (found !== expected && !(typeof found === 'number' && isNear(found, expected as number)))
      return `${what} of the result: ${found}, not ${expected} (cycle ${network.T} of the network is the last)`;
  return undefined;
}

/** What a result says is what it is made up of. Where the network or further rounds are simulated afterwards it is looked at for one seed of three. */
export const resultsAddUp: Reference = (run, given, assembly) => {
  const { config } = given as SystemGiven;
  if (config.mode !== 'coupled' && config.network.seed % 3 > 0) return undefined;
  return () => {
    const made = assembly as SystemAssembly;
    return resultFault(made.result(run), config, chipletStates(run, made.wired, config));
  };
};
