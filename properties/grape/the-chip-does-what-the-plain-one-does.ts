import type { CallRecord } from '../../actors/grape/host.ts';
import type { TimedCall } from '../../actors/grape/host-calls.ts';
import type { GrapeMessage } from '../../actors/grape/protocol.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { resultOf } from '../../machines/grape/result.ts';
import {
  controlName,
  grapeProperty,
  hostName,
  inputName,
  nameOfBlock,
  outputName,
  reductionName,
} from './context.ts';
import { PlainChip, type PlainIssue } from './plain/plain-chip.ts';
import { type PlainReduction, plainProgram } from './plain/plain-program.ts';

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
  JSON.stringify(value, (_key, one) => {
    if (typeof one === 'bigint' || (typeof one === 'number' && !Number.isFinite(one))) return String(one);
    return Object.is(one, -0) ? '-0' : one;
  });

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
  /** Slots that were issued, and reductions that began; -1 behind one that should have been another. */
  slots: number;
  reductions: number;
  /** In alphabetical order. */
  readonly warnings: string[];
}

type ReductionEvent = Pick<
  GrapeMessage<'rrn.start'>,
  'op' | 'addr' | 'long' | 'n' | 'round' | 'odpoe' | 'sregen' | 'conv'
>;

type Slot = Pick<PlainIssue, 't' | 'length' | 'seq' | 'section' | 'pass' | 'line'>;

const slotWords = ({ t, length, seq, section, pass, line }: Slot): string =>
  `slot ${seq} of ${length} cycles from line ${line} (${section}, pass ${pass}) in cycle ${t}`;

/** A reduction, by the message that begins it or by the plain program. */
const reductionWords = ({ op, addr, long, n, round, odpoe, sregen, conv }: ReductionEvent): string =>
  `the reduction ${op} of ${n} words from $${long ? 'l' : ''}b${addr} on, ${round ? 'rounded' : 'not rounded'}, ${odpoe ? `put out as ${conv}` : 'not put out'}, ${sregen ? 'with' : 'without'} status`;

const asEvent = ({ op, from, count, rounds, options, conversion }: PlainReduction): ReductionEvent => ({
  op,
  addr: from.addr,
  long: from.long,
  n: count,
  round: rounds,
  odpoe: !options.includes('o'),
  sregen: !options.includes('s'),
  conv: conversion,
});

/** The parts that a figure of the result is of; the control processor has the others. */
const partsOf = (what: string): readonly string[] => {
  const [figure] = what.split('.');
  if (figure === 'idp') return [inputName];
  if (figure === 'rrn') return [reductionName];
  return figure === 'output' || figure === 'results' ? [reductionName, outputName] : [controlName];
};

/** The first host call that came to something else, and what. */
function callDifference(
  seen: readonly CallRecord[],
  expected: PlainChip['result']['calls'],
): string | undefined {
  for (const [index, call] of seen.entries()) {
    const what = difference(call, expected[index]);
    if (what) return `call ${index}, ${call.call}: ${what}`;
  }
  return seen.length === expected.length
    ? undefined
    : `${seen.length} calls came to an end, not ${expected.length}`;
}

/** Cycles and results of calls, slots and warnings are those of a plain loop without actors or an assembler (GRAPE specification 2 to 7). */
export const theChipDoesWhatThePlainOneDoes = grapeProperty(
  'the chip does what a plain loop over its cycles does: codes, cycles, slots, results, warnings',
  ['SLOT', 'FAULT', 'rrn.start'],
  (): Memory => ({ slots: 0, reductions: 0, warnings: [] }),
  ({ config, written: given }) => ({
    see(memory, { event }, tell) {
      if (event.type === 'FAULT') {
        memory.warnings.push(told(event));
        memory.warnings.sort();
        return;
      }
      // Reordered, a program takes other slots.
      if (given === undefined || config.schedule) return;
      if (event.type === 'rrn.start') {
        if (memory.reductions < 0) return;
        const plain = plainRun(config, given.source, given.host).reductions[memory.reductions];
        const [seen, expected] = [reductionWords(event), plain ? reductionWords(asEvent(plain)) : 'none'];
        memory.reductions = seen === expected ? memory.reductions + 1 : -1;
        if (memory.reductions < 0)
          tell([controlName, reductionName], `${seen}; a plain loop begins ${expected}`);
        return;
      }
      if (memory.slots < 0) return;
      const expected = plainRun(config, given.source, given.host).issued[memory.slots];
      memory.slots = expected && slotWords(event) === slotWords(expected) ? memory.slots + 1 : -1;
      if (memory.slots < 0)
        tell(
          [controlName],
          `${slotWords(event)}, a plain loop issues ${expected ? slotWords(expected) : 'none'}`,
        );
    },
    seeState({ slots, warnings }, state, tell) {
      // What a run came to is known when nothing is under way any more.
      if (given === undefined || state.messages.length > 0) return;
      const { source, host } = given;
      const chip = plainRun(config, source, host);
      const { calls, counts, idp, rrn, output, results } = resultOf(
        (name) => state.actor<never>(name).context,
      );
      const shown = (all: readonly object[]) => all.map((one) => ({ ...one, line: 0 }));
      const what = config.schedule
        ? // Reordered, a program takes other slots and has other lines, and comes to the same.
          difference(
            { output: shown(output), results },
            { output: shown(chip.result.output), results: chip.result.results },
          )
        : (difference({ counts, idp, rrn, output, results }, { ...chip.result, calls: undefined }) ??
          difference({ warnings }, { warnings: chip.warnings.map(told).sort() }));
      const call = config.schedule ? undefined : callDifference(calls, chip.result.calls);
      const { length } = chip.issued;
      if (call) tell([hostName], call);
      else if (!config.schedule && slots >= 0 && slots < length)
        tell([controlName], `${slots} slots were issued, ${length} by a plain loop`);
      else if (what) tell(partsOf(what), what);
    },
  }),
);
