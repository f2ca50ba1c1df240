import type { EibProbe } from '../../../actors/cell/eib/protocol.ts';
import type { Run } from '../../../kernel/run.ts';
import type { CellbeConfig, CellbePrograms } from '../../../machines/cell/cellbe-config.ts';
import type { CellbeResult } from '../../../machines/cell/cellbe-result.ts';
import type { Assembly, Given } from '../../../machines/machine.ts';
import type { Watch } from '../../property.ts';
import { packetText, ReferenceBus } from './reference/reference-bus.ts';

/** The sentence of what this file judges. */
export const runsAsTheReferenceSentence =
  'every bus cycle brings what the plain loop of the specification brings';

/** Beyond so many records a run is not judged. */
const recordsMax = 100_000;

/** Lets properties watch a run; what `MachineProperties` has. */
type Watching = (run: Run, given: Given, assembly: Assembly) => Watch;

/**
 * Adds to what watches runs that they bring in every bus cycle what a plain loop brings: commands accepted, commanded, started, arrived, complete, and at the end all
 * figures of the result, contents of stores where no two packets met on a byte (Cell specification 19).
 *
 * Details: times do not depend on the order of messages within a cycle, so this holds under every schedule. Programs in TypeScript and runs with injected faults or mutants
 * are not judged. The first cycle that differs is told.
 */
export const withReference =
  (watching: Watching): Watching =>
  (run, anyGiven, assembly) => {
    const watch = watching(run, anyGiven, assembly);
    // The name of the machine says what was given.
    const given = anyGiven as Given<CellbeConfig, CellbePrograms>;
    const known = Object.values(given.programs).every((program) => Array.isArray(program));
    if (!known || given.faults?.length || given.mutants.length > 0) return watch;
    const seen: EibProbe[] = [];
    // Parts of this machine show nothing else.
    const seeing = run.probes$.subscribe(({ probe }) => {
      if (seen.length <= recordsMax) seen.push(probe as unknown as EibProbe);
    });
    return {
      get judged() {
        return [...(watch.judged ?? []), ...(seen.length > 0 ? [runsAsTheReferenceSentence] : [])];
      },
      end: () => {
        watch.end();
        seeing.unsubscribe();
        const { verdict } = run.outcome;
        if (seen.length > recordsMax || (verdict !== 'ok' && verdict !== 'violated')) return;
        // Of a run that was cut the last cycle may lack something.
        const end = run.ended ? Number.MAX_SAFE_INTEGER : run.now - 1;
        const result = run.ended ? (assembly.result(run) as CellbeResult) : undefined;
        const why = differenceIn(given, seen, end, result);
        if (why !== undefined) run.report(['Eib.DataArbiter'], { property: runsAsTheReferenceSentence, why });
      },
    };
  };

/** In what a run differs from the plain loop up to cycle `end`; undefined when it does not. */
export function differenceIn(
  { config, programs }: Pick<Given<CellbeConfig, CellbePrograms>, 'config' | 'programs'>,
  seen: readonly EibProbe[],
  end: number,
  result: CellbeResult | undefined,
): string | undefined {
  const accepted = new Map<number, [number, number, number][]>();
  for (const probe of seen)
    if (probe.type === 'ACCEPT') {
      const { t, initiator, issuer, command } = probe;
      const row = accepted.get(t) ?? [];
      row.push([initiator, issuer, command]);
      accepted.set(t, row);
    }
  const bus = new ReferenceBus(config, programs, (t) => accepted.get(t) ?? []);
  // One that goes on for ever shows it long before.
  bus.run(Math.min(end, cyclesMax));
  const [expected, found] = [
    byCycle(bus.happenings, end),
    byCycle(
      seen.map((probe) => ({ t: probe.t, text: textOf(probe) })),
      end,
    ),
  ];
  for (const t of [...new Set([...expected.keys(), ...found.keys()])].sort((a, b) => a - b)) {
    const [should, does] = [expected.get(t) ?? [], found.get(t) ?? []];
    const [missing, extra] = [without(should, does), without(does, should)];
    if (missing.length + extra.length > 0)
      return `bus cycle ${t}: expected ${missing.slice(0, 3).join('; ') || 'nothing'}; found ${extra.slice(0, 3).join('; ') || 'nothing'}`;
  }
  return result && figureDiffers(bus.result(), result);
}

/** Cycles after which the plain loop is left, whatever is still to come. */
const cyclesMax = 1_000_000;

function byCycle(
  records: readonly { readonly t: number; readonly text: string }[],
  end: number,
): ReadonlyMap<number, readonly string[]> {
  const cycles = new Map<number, string[]>();
  for (const { t, text } of records) {
    if (t > end) continue;
    const row = cycles.get(t);
    if (row) row.push(text);
    else cycles.set(t, [text]);
  }
  return cycles;
}

/** A record as the plain loop says it. */
function textOf(probe: EibProbe): string {
  switch (probe.type) {
    case 'ACCEPT':
      return `ACCEPT command ${probe.command} of ${probe.issuer} by ${probe.initiator} bytes ${probe.bytes} issued ${probe.issued}`;
    case 'COMPLETE':
      return `COMPLETE command ${probe.command} of ${probe.issuer} by ${probe.initiator}`;
    case 'START': {
      const { packet, dir, ring, beats, hold } = probe;
      return packetText('START', packet, `dir ${dir} ring ${ring} beats ${beats} hold ${hold}`);
    }
    default:
      return packetText(probe.type, probe.packet);
  }
}

/** The texts of one list that the other lacks, each as often as it is missing. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The first figure of the result that is not as expected. */
function figureDiffers(expected: object, result: CellbeResult): string | undefined {
  const found: Readonly<Record<string, unknown>> = {
    ...result,
    exceptions: result.exceptions.map(({ element, why }) => (why === '' ? 'no reason' : element)),
  };
  for (const [key, value] of Object.entries(expected)) {
    if (isAlike(value, found[key])) continue;
    return `the result has ${key} ${shortened(found[key])}, expected ${shortened(value)}`;
  }
  return undefined;
}

const shortened = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

/** Equal but for the rounding of fractions. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other));
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isAlike(one[key as never], other[key as never]))
  );
}
