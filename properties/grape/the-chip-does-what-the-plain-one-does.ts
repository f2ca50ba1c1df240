import type { TimedCall } from '../../actors/grape/host-calls.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { resultOf } from '../../machines/grape/result.ts';
import { controlName, grapeProperty, nameOfBlock } from './context.ts';
import { PlainChip } from './plain/plain-chip.ts';
import { plainProgram } from './plain/plain-program.ts';

const told = ({
  t,
  code,
  block,
}: {
  readonly t: number;
  readonly code: string;
  readonly block: number;
}): string => `${t} ${code} of ${nameOfBlock(block)}`;

/** The words of a result as text; a negative zero is none of the positive. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_key, one) =>
    Object.is(one, -0) ? '-0' : Number.isFinite(one) || typeof one !== 'number' ? one : String(one),
  );

/** The first place in which two values differ, and both. */
function difference(seen: unknown, expected: unknown, path = ''): string | undefined {
  if (written(seen) === written(expected)) return undefined;
  if (typeof seen !== 'object' || typeof expected !== 'object' || !seen || !expected)
    return `${path.slice(1)} is ${written(seen)}, not ${written(expected)}`;
  const [left, right] = [seen as Record<string, unknown>, expected as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = difference(left[key], right[key], `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/** The schedules of a scenario share what the plain chip does. */
const known = new WeakMap<GrapeConfig, PlainChip>();

function plainRun(config: GrapeConfig, source: string, host: readonly TimedCall[]): PlainChip {
  const found = known.get(config);
  if (found) return found;
  const { type, schedule, mode, compat } = config;
  const program = plainProgram(source, { type, roundPolicy: compat.roundPolicy });
  const chip = new PlainChip({ ...config, mode: schedule ? 'functional' : mode }, program);
  chip.run(host);
  known.set(config, chip);
  return chip;
}

interface Memory {
  readonly slots: object[];
  /** In alphabetical order. */
  readonly warnings: string[];
}

/** Cycles and results of calls, slots and warnings are those of a plain loop without actors or an assembler (GRAPE specification 2 to 7). */
export const theChipDoesWhatThePlainOneDoes = grapeProperty(
  'the chip does what a plain loop over its cycles does: codes, cycles, slots, results, warnings',
  ['SLOT', 'FAULT'],
  (): Memory => ({ slots: [], warnings: [] }),
  ({ config, written: given }) => ({
    see({ slots, warnings }, { event }) {
      if (event.type === 'FAULT') {
        warnings.push(told(event));
        warnings.sort();
      } else {
        const { t, length, seq, section, pass, line } = event;
        slots.push({ t, length, seq, section, pass, line });
      }
    },
    seeState({ slots, warnings }, state, tell) {
      // What a run came to is known when nothing is under way any more.
      if (given === undefined || state.messages.length > 0) return;
      const { source, host } = given;
      const chip = plainRun(config, source, host);
      const { calls, counts, idp, rrn, output, results } = resultOf(
        (name) => state.actor<never>(name).context,
      );
      const seen = { calls, counts, idp, rrn, output, results };
      const shown = (all: readonly object[]) => all.map((one) => ({ ...one, line: 0 }));
      const what = config.schedule
        ? // Reordered, a program takes other slots and has other lines, and comes to the same.
          difference(
            { output: shown(output), results },
            { output: shown(chip.result.output), results: chip.result.results },
          )
        : (difference(seen, chip.result) ??
          difference({ slots }, { slots: chip.issued }) ??
          difference({ warnings }, { warnings: chip.warnings.map(told).sort() }));
      if (what) tell([controlName], what);
    },
  }),
);
