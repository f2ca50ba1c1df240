import type { HostProgram } from '../../actors/chiplet/gpu/host-operations.ts';
import { programOfSteps, StepError } from '../../actors/chiplet/gpu/host-steps.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { compilePtx, type PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { PtxError } from '../../actors/chiplet/ptx/ptx-error.ts';
import { readGpgpusimConfig } from './gpgpusim-config.ts';
import { asHostSteps } from './host-steps-schema.ts';
import { stepFindings } from './step-findings.ts';
import type { ChipletEntry, SystemConfig, SystemPrograms } from './system-config.ts';

/** A mistake in what a system is given, with its place in the scenario. */
export interface SystemFinding {
  readonly path: readonly (string | number)[];
  readonly found: string;
  readonly expected: string;
}

/** What the chiplets of a system run. */
export interface SystemCode {
  readonly ptx: PtxProgram;
  readonly hosts: ReadonlyMap<string, (entry: ChipletEntry) => HostProgram>;
  readonly data: Readonly<Record<string, readonly number[]>>;
  readonly timings: ReadonlyMap<string, GpuTiming>;
}

const compiled = new WeakMap<SystemPrograms['kernels'], Map<string, PtxProgram>>();

/** How a system compiles its kernels. */
export const compileOptionsOf = ({
  messageOpcode,
  contraction,
  approximations,
  divergence,
}: SystemConfig): CompileOptions => ({ messageOpcode, contraction, approximations, divergence });

/** The kernels of a scenario, compiled once for all its runs. Errors: `PtxError`. */
function kernelsOf({ kernels }: SystemPrograms, config: SystemConfig): PtxProgram {
  const byOptions = compiled.get(kernels) ?? new Map<string, PtxProgram>();
  compiled.set(kernels, byOptions);
  const options = compileOptionsOf(config);
  const key = Object.values(options).join(' ');
  const known = byOptions.get(key);
  if (known) return known;
  const files = kernels.map(({ file, text = '' }) => ({ file, text }));
  const ptx = compilePtx(files, options);
  byOptions.set(key, ptx);
  return ptx;
}

/** All that the chiplets of a checked system run. */
export function codeOf(config: SystemConfig, programs: SystemPrograms): SystemCode {
  const hosts = Object.entries(programs.hosts).map(([name, host]) => {
    const made = (entry: ChipletEntry): HostProgram => {
      if ('steps' in host) return programOfSteps(asHostSteps(host.steps));
      return (x, y) => host.program!(x, y, ...entry.args);
    };
    return [name, made] as const;
  });
  const data = Object.entries(programs.data).map(
    ([name, given]) =>
      [name, Array.isArray(given) ? given : (integersOf(given.text ?? '') as readonly number[])] as const,
  );
  const timings = Object.entries(programs.configs).map(
    ([name, { text = '' }]) => [name, readGpgpusimConfig(text).timing] as const,
  );
  return {
    ptx: kernelsOf(programs, config),
    hosts: new Map(hosts),
    data: Object.fromEntries(data),
    timings: new Map(timings),
  };
}

/** What is wrong with the programs of a system (chiplet specification 13: E-PTX, E-PROG, E-FILE). */
export function programFindings(config: SystemConfig, programs: SystemPrograms): readonly SystemFinding[] {
  const { chiplets } = config;
  const findings: SystemFinding[] = [];
  try {
    kernelsOf(programs, config);
  } catch (error) {
    if (!(error instanceof PtxError)) throw error;
    const index = programs.kernels.findIndex(({ file }) => file === error.file);
    const { file, at, text, what, help } = error;
    findings.push({
      path: ['programs', 'kernels', Math.max(0, index)],
      found: `E-PTX ${file}:${at.line}:${at.column} ${what}: ${text.trim()}`,
      expected: help,
    });
  }
  for (const [name, host] of Object.entries(programs.hosts)) {
    if (!('steps' in host)) continue;
    const steps = asHostSteps(host.steps);
    findings.push(...stepFindings(name, steps, config));
    try {
      programOfSteps(steps);
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      findings.push({
        path: ['programs', 'hosts', name, 'steps'],
        found: error.message,
        expected: 'names that earlier steps have stored',
      });
    }
  }
  for (const [name, given] of Object.entries(programs.data)) {
    if (Array.isArray(given)) continue;
    const read = integersOf(given.text ?? '');
    if ('line' in read)
      findings.push({
        path: ['programs', 'data', name],
        found: `E-FILE ${given.file}:${read.line}: "${read.found}"`,
        expected: 'whole numbers of 32 bits with blanks or line ends between them',
      });
  }
  for (const [name, { file, text = '' }] of Object.entries(programs.configs))
    for (const { line, kind, what } of readGpgpusimConfig(text).findings)
      if (kind === 'error')
        findings.push({
          path: ['programs', 'configs', name],
          found: `${file}:${line}: ${what}`,
          expected: 'lines of a gpgpusim.config',
        });
  const named = (index: number, key: 'program' | 'config', known: readonly string[]): void => {
    const name = chiplets[index]![key];
    if (name === undefined || known.includes(name)) return;
    findings.push({
      path: ['config', 'chiplets', index, key],
      found: `${key === 'program' ? 'E-PROG ' : ''}no ${key} "${name}"`,
      expected: `one of: ${known.join(', ') || 'none is given'}`,
    });
  };
  for (const index of chiplets.keys()) {
    named(index, 'program', Object.keys(programs.hosts));
    named(index, 'config', Object.keys(programs.configs));
  }
  return findings;
}

/** Integers of a data file; the first word that is none, with its line. */
function integersOf(text: string): readonly number[] | { readonly line: number; readonly found: string } {
  const values: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries())
    for (const word of line.split(/[\s,]+/)) {
      if (word === '') continue;
      const value = Number(word);
      if (!/^-?\d+$/.test(word) || value < -(2 ** 31) || value >= 2 ** 32)
        return { line: index + 1, found: word };
      values.push(value);
    }
  return values;
}

/** The timing of a GPU chiplet. */
export function timingOf(
  { config, cores }: ChipletEntry,
  { warpScheduler }: SystemConfig,
  code: SystemCode,
): GpuTiming {
  const given = (config === undefined ? undefined : code.timings.get(config)) ?? defaultTiming;
  return {
    ...given,
    ...(cores !== undefined && { cores }),
    ...(warpScheduler !== undefined && { scheduler: warpScheduler }),
  };
}
