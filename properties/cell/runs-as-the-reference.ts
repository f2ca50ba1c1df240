import type { CellLogEvent } from '../../machines/cell/log-events.ts';
import type { CellRunResult } from '../../machines/cell.ts';
import { judged, property } from '../property.ts';
import type { CellContext } from './context.ts';
import { type ReferenceCycle, ReferenceMachine } from './reference/reference-machine.ts';
import { knowsPrograms } from './reference/reference-program.ts';

/** Beyond so many records a run is judged as far as they go. */
const recordsMax = 400_000;

/** What a run brought in one cycle. */
interface Brought {
  readonly happens: string[];
  /** Bytes of memories at its end: SPU, address, value. */
  readonly bytes: (readonly [number, number, number])[];
  readonly grants: (readonly [number, number, 0 | 1, number])[];
}

/**
 * Each cycle of a run brings what a plain loop written from the specification brings: requests, refusals, statuses, results, starts, ends of
 * programs, contents of memories, the end of the run (Cell specification 3, 6, 8, 9, 11, 17).
 *
 * Details: timing does not depend on the order of messages within a cycle (section 8), so this holds under every schedule; values of bytes are compared
 * as long as no two parties met on one. Programs in TypeScript and runs with injected faults are not judged. The first cycle that differs ends it.
 */
export const runsAsTheReference = property<CellContext>(
  'every cycle brings what the plain loop of the specification brings',
  (run, { header, given, log, result }) =>
    judged(log(run), (found) => {
      const { config, programs, faults = [] } = given;
      const applies = knowsPrograms(programs) && faults.length === 0;
      const cycles = new Map<number, Brought>();
      let [records, last, stop] = [0, -1, -1];
      const brought = (t: number): Brought => {
        let cycle = cycles.get(t);
        if (!cycle) {
          cycle = { happens: [], bytes: [], grants: [] };
          cycles.set(t, cycle);
        }
        return cycle;
      };
      return {
        see(event) {
          if (!applies || records > recordsMax) return;
          if (event.ev === 'BARRIER') last = event.t;
          else if (event.ev === 'STOP') stop = event.cycles;
          else if (take(event, brought)) records++;
        },
        end() {
          if (!applies) return;
          const machine = new ReferenceMachine(config, programs, header.interleaving === 'ordered');
          const starts = (start: number) => cycles.get(start - 1)?.grants ?? [];
          const cyclesMin = config.run === 'untilIdle' ? 1 : config.run.cycles;
          if (cyclesMin === 0) {
            if (stop > 0) found([], `the run has ${stop} cycles, expected none`);
            return;
          }
          for (let t = 0; ; t++) {
            if (t > last && stop < 0) return;
            const expected = machine.cycle(starts);
            const why = differenceOf(expected, brought(t), machine);
            if (why !== undefined) {
              found([], `cycle ${t}: ${why}`);
              return;
            }
            const ends = stop >= 0 && t + 1 === stop;
            if (expected.last && !ends && (stop >= 0 || last > t)) {
              found([], `the run goes on after cycle ${t}, expected its end`);
              return;
            }
            if (ends && !expected.last) found([], `the run ends with cycle ${t}, expected it to go on`);
            else if (ends) {
              const wrong = figureDiffers(machine.result(), result());
              if (wrong !== undefined) found([], wrong);
            }
            if (ends || expected.last) return;
            if (stop >= 0 && t > stop) return;
          }
        },
      };
    }),
);

/** Notes what a record says; false for one that the reference has nothing to say about. */
function take(event: CellLogEvent, brought: (t: number) => Brought): boolean {
  const { t } = event;
  const say = (text: string) => brought(t).happens.push(text) > 0;
  switch (event.ev) {
    case 'REQ': {
      const { spu, id, kind, my, peer, addr, size } = event;
      return say(`REQ spu ${spu} id ${id} ${kind} ${my} ${peer} ${addr} ${size}`);
    }
    case 'STATUS': {
      const { spu, id, status, dir, ring } = event;
      return say(`STATUS spu ${spu} id ${id} is ${status} ${dir} ${ring}`);
    }
    case 'OBS':
      return say(`OBS spu ${event.spu} k ${event.k} ${event.op} ${event.value}`);
    case 'EXC':
      return say(`EXC spu ${event.spu} k ${event.k}`);
    case 'HALT':
      return say(`HALT spu ${event.spu}`);
    case 'GRANT': {
      const { spu, id, dir, ring, start } = event;
      brought(t).grants.push([spu, id, dir as 0 | 1, ring]);
      return say(
        start === t + 1
          ? `GRANT spu ${spu} id ${id} dir ${dir} ring ${ring}`
          : `GRANT spu ${spu} id ${id} dir ${dir} ring ${ring} from cycle ${start}`,
      );
    }
    case 'MEM':
      for (const [address, value] of event.bytes) brought(t).bytes.push([event.mem, address, value]);
      return true;
    default:
      return false;
  }
}

/** In what a cycle differs from what is expected, in words; undefined when it does not. */
function differenceOf(
  { happens, certain }: ReferenceCycle,
  now: Brought,
  machine: ReferenceMachine,
): string | undefined {
  const plain = (text: string) => (certain ? text : text.replace(/(?<= read )\d+$/, 'a byte'));
  const expected = happens.map(plain).sort();
  const found = now.happens.map(plain).sort();
  if (expected.join('\n') !== found.join('\n')) {
    const [missing, extra] = [without(expected, found), without(found, expected)];
    const list = (texts: readonly string[]) =>
      texts.length === 0 ? 'nothing' : texts.slice(0, 3).join('; ');
    return `expected ${list(missing)}; found ${list(extra)}`;
  }
  if (!certain) return undefined;
  for (const [mem, address, value] of now.bytes)
    if (machine.byte(mem, address) !== value)
      return `expected byte ${machine.byte(mem, address)} at ${address} of memory ${mem}; found ${value}`;
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
