import type { ControlContext, ControlCounts } from '../../actors/grape/control-processor.ts';
import type { CallRecord, HostContext } from '../../actors/grape/host.ts';
import type { InputPortContext } from '../../actors/grape/input-port.ts';
import type { ReductionContext } from '../../actors/grape/reduction-network.ts';
import type { Run } from '../../kernel/run.ts';
import type { Figure } from '../machine.ts';
import type { GrapeConfig } from './config.ts';
import { type Output, outputOf, outputText } from './outputs.ts';

/** A port: words that went through, and cycles in which it was busy. */
export interface PortUse {
  readonly words: number;
  readonly busy: number;
}

/** Values as JSON can hold them: 64-bit integers as text. */
export type PlainValue = number | string;

/** What a run of the chip came to (GRAPE specification 8). */
export interface GrapeRunResult {
  /** Cycles of the chip in all calls, without the host's link. */
  readonly cycles: number;
  readonly calls: readonly CallRecord[];
  readonly counts: ControlCounts;
  readonly idp: PortUse;
  readonly rrn: PortUse;
  /** Multiplications and additions per slot, of two that a slot has room for. */
  readonly efficiency: number;
  /** What the lines for the simulator show. */
  readonly output: readonly (Omit<Output, 'values'> & { readonly values: readonly PlainValue[] })[];
  /** Results of every `getResult`, values of every `type2Run`, in the order of the calls. */
  readonly results: readonly (readonly (
    | PlainValue
    | Readonly<Record<string, PlainValue | readonly PlainValue[]>>
  )[])[];
}

/** The context of an actor, by its name: of a run as it is now, or of a global state. */
export type ContextOf = <Context>(name: string) => Context;

const contextsOf =
  (run: Run): ContextOf =>
  <C>(name: string) =>
    run.part(name).context as unknown as C;

const plain = (value: number | bigint | string): PlainValue =>
  typeof value === 'bigint' ? value.toString() : value;

/** What the lines for the simulator have shown, in the order in which they were reached. */
export const outputsOf = (run: Run): readonly Output[] => outputsIn(contextsOf(run));

const outputsIn = (contextOf: ContextOf): readonly Output[] =>
  contextOf<ControlContext>('ControlProcessor').looks.flatMap(({ item, words }) => {
    const output = outputOf(item, words);
    return output ? [output] : [];
  });

/** The figures of a run as it is now. */
export const resultOfRun = (run: Run): GrapeRunResult => resultOf(contextsOf(run));

/** The figures of a run, by what its actors remember. */
export function resultOf(contextOf: ContextOf): GrapeRunResult {
  const { counts } = contextOf<ControlContext>('ControlProcessor');
  const { calls, brought } = contextOf<HostContext>('Host');
  const input = contextOf<InputPortContext>('InputPort');
  const reduction = contextOf<ReductionContext>('ReductionNetwork');
  return {
    cycles: calls.reduce((sum, { cycles }) => sum + cycles, 0),
    calls,
    counts,
    idp: { words: input.words, busy: input.busy },
    rrn: { words: reduction.words, busy: reduction.busy },
    efficiency: counts.slots === 0 ? 0 : (counts.mul + counts.add) / (2 * counts.slots),
    output: outputsIn(contextOf).map((output) => ({ ...output, values: output.values.map(plain) })),
    results: brought.map(({ results, out }) =>
      out !== undefined
        ? out.map(plain)
        : results!.map(({ values }) =>
            Object.fromEntries(
              Object.entries(values).map(([name, value]) => [
                name,
                Array.isArray(value) ? value.map(plain) : plain(value as number | bigint),
              ]),
            ),
          ),
    ),
  };
}

const linesMax = 8;

/** The result for people. */
export function figuresOf(result: GrapeRunResult, { clockHz, nBB, nPE }: GrapeConfig): readonly Figure[] {
  const { cycles, counts, idp, rrn, efficiency, calls, output, results } = result;
  const failed = calls.filter(({ code }) => code !== 0);
  const passes = calls.filter(({ call }) => call === 'run' || call === 'type2Run');
  const lines = [
    ...output.map((one) => outputText(one)),
    ...results.flatMap((one, at) => one.map((value, i) => `result ${at}.${i}: ${JSON.stringify(value)}`)),
  ];
  return [
    { label: 'chip', value: `${nBB} blocks of ${nPE} PEs at ${(clockHz / 1e6).toFixed(0)} MHz` },
    {
      label: 'cycles',
      value: `${cycles} (${((cycles / clockHz) * 1e6).toFixed(2)} us) in ${calls.length} calls`,
    },
    ...passes.map(({ call, cycles: taken }) => ({ label: call, value: `${taken} cycles` })),
    {
      label: 'slots',
      value: `${counts.slots}: ${counts.mul} mul, ${counts.add} add, ${counts.alu} alu, ${counts.bm} bm, ${counts.nops} nop; efficiency ${(100 * efficiency).toFixed(1)} %`,
    },
    {
      label: 'ports',
      value: `idp ${idp.words} words in ${idp.busy} cycles, rrn ${rrn.words} in ${rrn.busy}`,
    },
    ...failed.map(({ call, code }) => ({ label: 'refused', value: `${call} returned ${code}` })),
    ...lines.slice(0, linesMax).map((value) => ({ label: '', value })),
    ...(lines.length > linesMax ? [{ label: '', value: `… ${lines.length - linesMax} more (--json)` }] : []),
  ];
}
