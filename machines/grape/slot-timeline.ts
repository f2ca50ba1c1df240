/** A record of the event log of a chip (GRAPE specification 8): a slot, a transfer through a port, a call of the host, a warning. */
export type ChipRecord =
  | {
      readonly ev: 'SLOT';
      /** First cycle. */
      readonly t: number;
      /** Cycles. */
      readonly length: number;
      readonly seq: number;
      readonly section: string;
      readonly pass: number | null;
      readonly line: number;
      readonly units: readonly string[];
      /** What it takes from the slot before, and the unit whose result it hands on. */
      readonly takes: readonly { readonly unit: string; readonly by: '$ti' | '$fb' }[];
      readonly gives: string | null;
    }
  | {
      readonly ev: 'PORT';
      readonly t: number;
      readonly port: 'idp' | 'rrn';
      /** First cycle in which it is free again. */
      readonly end: number;
      readonly words: number;
    }
  | { readonly ev: 'CALL'; readonly t: number; readonly call: string; readonly cycles: number }
  | { readonly ev: 'FAULT'; readonly t: number; readonly code: string; readonly why: string };

/** What a chip has side by side: units of the PEs, and the two ports. */
export const chipLanes = [
  ['mul', 'multiplier'],
  ['add', 'adder'],
  ['alu', 'ALU'],
  ['bm', 'broadcast'],
  ['idp', 'input port'],
  ['rrn', 'reduction'],
] as const;

/** A stretch of a lane: cycles from `from` to before `to`. */
export interface Busy {
  readonly lane: string;
  readonly from: number;
  readonly to: number;
  readonly section: string;
  /** What is said about it. */
  readonly story: string;
}

/** A result on its way from a unit in one slot to a unit in the next (GRAPE specification 4.2). */
export interface Handed {
  readonly from: string;
  readonly to: string;
  /** First cycle of the slot that makes the result, and of the one that takes it. */
  readonly made: number;
  readonly taken: number;
  readonly by: '$ti' | '$fb';
  readonly line: number;
}

/** Cycles between two slots, in which the units wait for a port or for records. */
export interface Stall {
  readonly from: number;
  readonly to: number;
}

type SlotRecord = Extract<ChipRecord, { ev: 'SLOT' }>;

const slotsOf = (records: readonly ChipRecord[]): readonly SlotRecord[] =>
  records.filter((record) => record.ev === 'SLOT');

/** All results that are handed on; `$ti` where the slot before made nothing for T reads T, and `$fb` without a product 0. */
export function handedOn(records: readonly ChipRecord[]): readonly Handed[] {
  const slots = slotsOf(records);
  return slots.flatMap(({ t, line, takes }, at) => {
    const before = slots[at - 1];
    if (before === undefined) return [];
    return takes.flatMap(({ unit: to, by }): readonly Handed[] => {
      const from = by === '$ti' ? before.gives : before.units.includes('mul') ? 'mul' : null;
      return from === null ? [] : [{ from, to, made: before.t, taken: t, by, line }];
    });
  });
}

/** Where slots do not follow each other at once, within the stretches of work. */
export function stallsOf(records: readonly ChipRecord[]): readonly Stall[] {
  const slots = slotsOf(records);
  return slots.flatMap(({ t }, at): readonly Stall[] => {
    const before = slots[at - 1];
    const from = before && before.t + before.length;
    return from !== undefined && from < t && t - from <= pauseMax ? [{ from, to: t }] : [];
  });
}

/** Cycles in which the chip works, without those in which it waits for the host. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Everything that the lanes do, in the order of the cycles in which it begins. */
export function busyLanes(records: readonly ChipRecord[]): readonly Busy[] {
  return records
    .flatMap((record): readonly Busy[] => {
      if (record.ev === 'SLOT') {
        const { t, length, units, section, pass, line } = record;
        const where = line > 0 ? `line ${line}` : section;
        const story = `cycle ${t}: ${where}${pass === null ? '' : `, pass ${pass}`}`;
        return units
          .filter((unit) => unit !== 'idp' && unit !== 'rrn')
          .map((lane) => ({ lane, from: t, to: t + length, section, story: `${story}, ${lane}` }));
      }
      if (record.ev !== 'PORT') return [];
      const { t, end, port, words } = record;
      return [
        {
          lane: port,
          from: t,
          to: end,
          section: 'port',
          story: `cycles ${t} to ${end - 1}: ${words} words`,
        },
      ];
    })
    .sort((a, b) => a.from - b.from);
}

/** Longest pause of the chip that counts as part of its work, in cycles. */
const pauseMax = 64;

/** When the chip works: pauses longer than `pauseMax` separate stretches. */
export function stretchesOf(records: readonly ChipRecord[]): readonly Stretch[] {
  const spans = records
    .flatMap((record): readonly Stretch[] => {
      if (record.ev === 'SLOT') return [{ from: record.t, to: record.t + record.length }];
      return record.ev === 'PORT' ? [{ from: record.t, to: record.end }] : [];
    })
    .sort((a, b) => a.from - b.from);
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = found.at(-1);
    if (last && from - last.to <= pauseMax) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
