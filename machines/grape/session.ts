import type { HostCall, TimedCall } from '../../actors/grape/host-calls.ts';
import type { Program } from '../../actors/grape/program.ts';
import { assemble } from './assembler/assemble.ts';
import { disassemble } from './assembler/disassemble.ts';
import type { GrapeConfig } from './config.ts';

/** What a library was asked to do, as a scenario of the chip has it: the configuration, the program's text, and the calls in their cycles. */
export interface GrapeSession {
  readonly config: GrapeConfig;
  readonly programs: { readonly source: string; readonly host: readonly TimedCall[] };
}

/** A session that no scenario can hold. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}

/**
 * The session of a library: its program as canonical text, which assembles to an equal program (GRAPE specification 3.9, 8).
 *
 * Errors: `SessionError` when a call holds a number that is not finite, or when the program was assembled with other options than the configuration
 * has, so that its text means another program there.
 */
export function sessionOf(config: GrapeConfig, program: Program, calls: readonly TimedCall[]): GrapeSession {
  // What is reordered or let through was so before: its text is to mean just that.
  const { lmShort, grfShort, bmShort, grfReadPorts, compat } = config;
  const source = disassemble(program, compat.roundPolicy);
  const again = assemble(source, {
    type: program.type,
    legacy: true,
    sizes: { lmShort, grfShort, bmShort },
    grfReadPorts,
    roundPolicy: compat.roundPolicy,
    ilUpperBug: compat.ilUpperBug,
  }).program;
  if (meaningOf(again) !== meaningOf(program))
    throw new SessionError(
      `the program's text means another program under this configuration; assemble it with the roundPolicy, sizes and grfReadPorts of the library`,
    );
  for (const [at, call] of calls.entries()) refuseInfinite(call, `call ${at} (${call.call})`);
  return {
    config: {
      ...config,
      type: program.type,
      schedule: false,
      strictHazards: false,
      compat: { ...compat, legacy: true },
    },
    programs: { source, host: calls },
  };
}

/** A copy of a call that nobody can change any more. */
export const keptCall = (call: HostCall, at: number): TimedCall => ({ ...structuredClone(call), at });

/** A program without what its text alone decides. */
const meaningOf = (program: Program): string =>
  JSON.stringify({ ...program, aliases: {} }, (key, value) => {
    if (key === 'line' || key === 'text' || key === 'placed') return undefined;
    if (typeof value === 'bigint') return `0x${value.toString(16)}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

function refuseInfinite(value: unknown, where: string): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new SessionError(`${where} is ${value}, a scenario holds finite numbers only`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) refuseInfinite(one, `${where}.${key}`);
}
