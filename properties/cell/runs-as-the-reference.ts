import type { GlobalState } from '../../kernel/global-state.ts';
import { resultIn } from '../../machines/cell/assembly.ts';
import type { CellRunResult } from '../../machines/cell.ts';
import type { ByteContent } from './checker/serialisability.ts';
import { type CellProbe, cellProperty, nameOfDma, nameOfMemory, nameOfSpu, type Tell } from './context.ts';
import { type ReferenceCycle, ReferenceMachine } from './reference/reference-machine.ts';
import { knowsPrograms } from './reference/reference-program.ts';
import { contentsIn, noteWrite, nothingWritten, type WrittenBytes } from './written-bytes.ts';

/** Beyond so many records a run is judged as far as they go. */
const recordsMax = 400_000;

type Grant = readonly [spu: number, id: number, dir: 0 | 1, ring: number];

/** What a run brought in one cycle. */
interface Brought {
  /** In alphabetical order. */
  readonly happens: string[];
  readonly grants: Grant[];
}

interface Memory {
  /** By cycle: what came of those that are not compared yet. */
  cycles: Record<number, Brought>;
  /** By cycle: the grants of those that were compared. From them follows all that the reference has done. */
  readonly granted: Grant[][];
  records: number;
  readonly written: WrittenBytes;
  /** The cycle whose barrier opened last, and how many the run has; -1 for none. */
  ended: number;
  stop: number;
  /** True when the reference is at its end. */
  last: boolean;
  /** True when there is nothing more to compare. */
  over: boolean;
}

/**
 * Each cycle of a run brings what a plain loop written from the specification brings: requests, refusals, statuses, results, starts, ends of
 * programs, contents of memories, the end of the run (Cell specification 3, 6, 8, 9, 11, 17).
 *
 * Details: timing does not depend on the order of messages within a cycle (section 8), so this holds under every schedule; values of bytes are compared
 * as long as no two parties met on one. Programs in TypeScript and runs with injected faults are not judged. The first cycle that differs ends it.
 */
export const runsAsTheReference = cellProperty(
  'every cycle brings what the plain loop of the specification brings',
  ['REQ', 'STATUS', 'OBS', 'EXC', 'HALT', 'GRANT', 'WR', 'BARRIER', 'STOP'],
  (): Memory => ({
    cycles: {},
    granted: [],
    records: 0,
    written: nothingWritten(),
    ended: -1,
    stop: -1,
    last: false,
    over: false,
  }),
  (facts) => {
    const { config, programs, faults = [] } = facts.given;
    const applies = knowsPrograms(programs) && faults.length === 0;
    const cyclesMin = config.run === 'untilIdle' ? 1 : config.run.cycles;
    /** The reference as far as a memory has compared it: it follows from the memory alone, and is made anew for a copy of one. */
    const machines = new WeakMap<Memory, ReferenceMachine>();

    function machineOf(memory: Memory): ReferenceMachine {
      const known = machines.get(memory);
      if (known) return known;
      const machine = new ReferenceMachine(config, programs, facts.header.interleaving === 'ordered');
      for (const grants of memory.granted) machine.cycle(() => grants);
      machines.set(memory, machine);
      return machine;
    }

    /** Compares the cycles up to the last one that has ended. */
    function compare(memory: Memory, state: GlobalState, found: Tell): void {
      const { stop } = memory;
      const end = stop >= 0 ? stop - 1 : memory.ended;
      const find = (why: string, actors: readonly string[] = []) => {
        found(actors, why);
        memory.over = true;
      };
      if (cyclesMin === 0) {
        if (stop > 0) find(`the run has ${stop} cycles, expected none`);
        return;
      }
      const contents = contentsIn(memory.written, state);
      for (let t = memory.granted.length; t <= end && !memory.over; t++) {
        if (memory.last) {
          find(`the run goes on after cycle ${t - 1}, expected its end`);
          return;
        }
        const machine = machineOf(memory);
        const now = memory.cycles[t] ?? { happens: [], grants: [] };
        delete memory.cycles[t];
        memory.granted.push(now.grants);
        const expected = machine.cycle(() => now.grants);
        memory.last = expected.last;
        // What the memories hold is seen at the end of the last cycle only.
        const difference = differenceOf(expected, now.happens, t === end ? contents : [], machine);
        if (difference) find(`cycle ${t}: ${difference.why}`, difference.actors);
      }
      if (stop < 0 || memory.over) return;
      const wrong = memory.last
        ? figureDiffers(
            machineOf(memory).result(),
            resultIn(facts.given, (name) => state.actor<never>(name).context),
          )
        : `the run ends with cycle ${stop - 1}, expected it to go on`;
      if (wrong !== undefined) find(wrong);
      memory.over = true;
    }

    return {
      // What happens in a cycle is kept in alphabetical order; a run that is checked does not come to `recordsMax`.
      about({ type, ...event }) {
        if (type === 'BARRIER' || type === 'STOP') return 'end';
        if (type === 'GRANT') return 'grants';
        return 'mem' in event ? `memory ${event.mem}` : [];
      },
      see(memory, event, found) {
        if (!applies || memory.over || memory.records > recordsMax) return;
        if (event.type === 'BARRIER') memory.ended = event.t;
        else if (event.type === 'STOP') memory.stop = event.cycles;
        else {
          memory.records++;
          if (event.type === 'WR') noteWrite(memory.written, event);
          else if (event.t >= memory.granted.length) take(memory, event);
          else {
            found([], `cycle ${event.t}: expected nothing; found ${textOf(event)}`);
            memory.over = true;
          }
        }
      },
      seeState(memory, state, found) {
        if (applies && !memory.over && memory.ended + memory.stop > -2) compare(memory, state, found);
      },
    };
  },
);

type Happening = CellProbe<'REQ' | 'STATUS' | 'OBS' | 'EXC' | 'HALT' | 'GRANT'>;

/** Notes what a record says. */
function take({ cycles }: Memory, event: Happening): void {
  cycles[event.t] ??= { happens: [], grants: [] };
  const { happens, grants } = cycles[event.t]!;
  if (event.type === 'GRANT') grants.push([event.spu, event.id, event.dir as 0 | 1, event.ring]);
  const text = textOf(event);
  let at = happens.length;
  while (at > 0 && happens[at - 1]! > text) at--;
  happens.splice(at, 0, text);
}

/** A record as the reference says it. */
function textOf(event: Happening): string {
  switch (event.type) {
    case 'REQ': {
      const { spu, id, kind, my, peer, addr, size } = event;
      return `REQ spu ${spu} id ${id} ${kind} ${my} ${peer} ${addr} ${size}`;
    }
    case 'STATUS': {
      const { spu, id, status, dir, ring } = event;
      return `STATUS spu ${spu} id ${id} is ${status} ${dir} ${ring}`;
    }
    case 'OBS':
      return `OBS spu ${event.spu} k ${event.k} ${event.op} ${event.value}`;
    case 'EXC':
      return `EXC spu ${event.spu} k ${event.k}`;
    case 'HALT':
      return `HALT spu ${event.spu}`;
    case 'GRANT': {
      const { t, spu, id, dir, ring, start } = event;
      return start === t + 1
        ? `GRANT spu ${spu} id ${id} dir ${dir} ring ${ring}`
        : `GRANT spu ${spu} id ${id} dir ${dir} ring ${ring} from cycle ${start}`;
    }
  }
}

/** A difference, and the SPU and the DMA module with which it begins. */
interface Difference {
  readonly why: string;
  readonly actors: readonly string[];
}

/** Kinds of records as one leads to the other within a cycle. */
const leads = ['REQ', 'EXC', 'STATUS', 'OBS', 'HALT', 'GRANT'];
const rankOf = (text: string): number => leads.indexOf(text.split(' ', 1)[0]!);
const inTurn = (texts: readonly string[]): readonly string[] =>
  [...texts].sort((a, b) => rankOf(a) - rankOf(b));

function actorsOf(text: string): readonly string[] {
  const spu = Number(/^\w+ spu (\d+)/.exec(text)![1]);
  return [nameOfSpu(spu), nameOfDma(spu)];
}

/** In what a cycle differs from what is expected; undefined when it does not. */
function differenceOf(
  { happens, certain }: ReferenceCycle,
  brought: readonly string[],
  contents: readonly ByteContent[],
  machine: ReferenceMachine,
): Difference | undefined {
  const plain = (text: string) => text.replace(/(?<= read )\d+$/, 'a byte');
  const expected = (certain ? [...happens] : happens.map(plain)).sort();
  const found = certain ? brought : brought.map(plain).sort();
  if (expected.length !== found.length || expected.some((text, at) => text !== found[at])) {
    const [missing, extra] = [inTurn(without(expected, found)), inTurn(without(found, expected))];
    const list = (texts: readonly string[]) =>
      texts.length === 0 ? 'nothing' : texts.slice(0, 3).join('; ');
    const [first] = inTurn([...missing, ...extra]);
    return { why: `expected ${list(missing)}; found ${list(extra)}`, actors: actorsOf(first!) };
  }
  if (!certain) return undefined;
  for (const { mem, address, value } of contents)
    if (machine.byte(mem, address) !== value)
      return {
        why: `expected byte ${machine.byte(mem, address)} at ${address} of memory ${mem}; found ${value}`,
        actors: [nameOfMemory(mem)],
      };
  return undefined;
}

/** The first figure of the result that is not as expected. */
function figureDiffers(expected: object, result: CellRunResult): string | undefined {
  const transfers = result.transfers.map((row) => [...row.slice(0, 8), row[10]]);
  const found: Readonly<Record<string, unknown>> = { ...result, transfers };
  for (const [key, value] of Object.entries(expected)) {
    const [one, other] = [JSON.stringify(value), JSON.stringify(found[key])];
    if (one !== other) return `the result has ${key} ${shortened(other)}, expected ${shortened(one)}`;
  }
  return undefined;
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** The texts of one list that the other lacks, each as often as it is missing. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
