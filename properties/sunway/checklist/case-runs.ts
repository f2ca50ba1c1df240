import { remoteAddress } from '../../../actors/sunway/address/space.ts';
import type { CpeApi, CpeOperation } from '../../../actors/sunway/cpe-api.ts';
import type { CallBegin, CallEnd } from '../../../actors/sunway/probes.ts';
import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import type { Run } from '../../../kernel/run.ts';
import { type Trial, trial } from '../trial.ts';
import { eventsOf } from './events-of.ts';
import { caller, type Given, type HostCase, type SlaveCase, type SlavePlay } from './function-case.ts';

/** A call as the trace of a run shows it. */
export interface TracedCall {
  readonly core: number;
  readonly name: string;
  readonly begun: number;
  readonly cycles: number;
  readonly code: number;
}

/** What a case came to. */
export interface CaseOutcome {
  /** By tid or core group: what the plays gave. */
  readonly gave: ReadonlyMap<number, readonly (number | string)[]>;
  /** Every call between the beginning of the case and that of the next one. */
  readonly calls: readonly TracedCall[];
}

const calls = eventsOf<{ 'call.begin': CallBegin; 'call.end': CallEnd }>();

/** Notes every call of a run in the order in which they begin. */
export function traceOf(run: Run): readonly TracedCall[] {
  const traced: TracedCall[] = [];
  const open = new Map<number, Omit<TracedCall, 'cycles' | 'code'>>();
  calls(run, 'call.begin', 'call.end').subscribe(({ event, tick }) => {
    if (event.type === 'call.begin') {
      const { core, name } = event;
      const mark = name === 'compute' ? Number(event.arguments['cycles']) : 0;
      open.set(core, { core, name: mark >= quiet ? `mark ${mark - quiet}` : name, begun: tick });
    } else {
      const begun = open.get(event.core);
      if (begun !== undefined) traced.push({ ...begun, cycles: tick - begun.begun, code: event.code });
      open.delete(event.core);
    }
  });
  return traced;
}

/**
 * A case begins with work of that many cycles and its number more: a mark in the trace, and time enough for everything before it to come to its
 * end, so that the case meets an idle node.
 */
const quiet = 1_000_000;

/** The calls of a run by the case that they belong to: the number of the last mark of their marker. `markerOf` says whose marks count for a core. */
function callsByCase(
  trace: readonly TracedCall[],
  markerOf: (core: number) => number,
): ReadonlyMap<number, readonly TracedCall[]> {
  const marks = new Map<number, number>();
  const byCase = new Map<number, TracedCall[]>();
  for (const call of [...trace].sort((a, b) => a.begun - b.begun)) {
    const [word, number] = call.name.split(' ');
    if (word === 'mark') marks.set(call.core, Number(number));
    const current = marks.get(markerOf(call.core)) ?? -1;
    const calls = byCase.get(current) ?? [];
    byCase.set(current, calls);
    calls.push(call);
  }
  return byCase;
}

/** By core: the last case that it has begun, where that is not the end of all cases. */
function stuckCores(trace: readonly TracedCall[], cases: number): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const { core, name } of trace) {
    const [word, number] = name.split(' ');
    if (word === 'mark') last.set(core, Math.max(last.get(core) ?? 0, Number(number)));
  }
  return new Map([...last].filter(([, mark]) => mark < cases));
}

/** One part of a run: a play, and who plays it. */
export interface SlavePart {
  readonly by: SlaveCase['by'];
  readonly play: SlavePlay;
  /** The CPE that plays when it is one. */
  readonly at?: number;
}

const givenBytes = 1024;
const saidBytes = 16 * 1024;

const plays = ({ by, at = caller }: SlavePart, tid: number): boolean => by !== 'one' || tid === at;

/** Carries out parts one after the other on one array. All of them are told by the run at its end. */
export function slaveRun(parts: readonly SlavePart[], config: object = {}) {
  const program: CpeProgram = function* (c, memory) {
    const places = parts.map(
      (_, k): Given => ({
        a: c.ldmStatic('a', 256, 64),
        b: c.ldmStatic('b', 256, 64),
        d: c.ldmStatic('d', 256, 64),
        own: c.rply(),
        come: c.rply(),
        memory: memory + k * givenBytes,
      }),
    );
    const saying = c.ldmStatic('saying', saidBytes, 64);
    const said: number[] = [];
    for (const [k, part] of parts.entries()) {
      if (!plays(part, c.tid)) {
        // So that what they say at the end does not come between the cases of others.
        yield c.compute(quiet - 1);
        continue;
      }
      yield c.compute(quiet + k);
      if (part.by === 'all') yield c.ssync_array();
      const gave = yield* part.play(c, places[k]!);
      said.push(gave.length, ...gave);
    }
    yield c.compute(quiet + parts.length);
    yield c.stBlock(saying, Float64Array.from(said));
    yield c.dma_put(
      memory + parts.length * givenBytes + saidBytes * c.tid,
      saying,
      Math.max(8, 8 * said.length),
    );
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    const memory = h.memAlloc(parts.length * givenBytes + 64 * saidBytes, givenBytes);
    const words = Int32Array.from({ length: givenBytes / 4 }, (_, k) => 100 + k);
    for (const k of parts.keys()) yield h.stBlock(memory + k * givenBytes, words);
    yield h.athread_spawn(program, memory);
    yield h.athread_join();
    for (let tid = 0; tid < 64; tid++) {
      const at = memory + parts.length * givenBytes + saidBytes * tid;
      yield h.tell(`${tid}`, (yield* h.ldBlock(at, 'f64', saidBytes / 8)).join(' '));
    }
  };
  let trace: readonly TracedCall[] = [];
  const done = trial(host, { memoryMiB: 4, onError: 'return', ...config }, {}, (run) => {
    trace = traceOf(run);
  });
  const said = new Map(
    Object.entries(done.told).map(([tid, words]) => [Number(tid), `${words}`.split(' ').map(Number)]),
  );
  const byCase = callsByCase(trace, (core) => core);
  const outcomes = parts.map((part, k): CaseOutcome => {
    const gave = new Map<number, readonly number[]>();
    for (const [tid, words] of said) {
      if (!plays(part, tid)) continue;
      const length = words.shift()!;
      gave.set(tid, words.splice(0, length));
    }
    return { gave, calls: byCase.get(k) ?? [] };
  });
  return { outcomes, stuck: stuckCores(trace, parts.length) };
}

/** Carries out cases of the host side one after the other, on a node of two small core groups whose hosts begin each case together. */
export function hostRun(cases: readonly Pick<HostCase, 'play'>[], config: object = {}) {
  const host: MpeProgram = function* (h) {
    const places = cases.map(() => h.crossAlloc(64));
    for (const [k, { play }] of cases.entries()) {
      yield h.compute(quiet + k);
      // Before the first case there is no runtime to meet in.
      if (k > 0) yield h.sync_node();
      yield h.tell(`${k}`, (yield* play(h, places[k]!)).join(' '));
    }
    yield h.compute(quiet + cases.length);
  };
  let trace: readonly TracedCall[] = [];
  const done: Trial = trial(
    host,
    { cgs: 2, cpesPerCg: 4, cacheKiB: 32, onError: 'return', ...config },
    {},
    (run) => {
      trace = traceOf(run);
    },
  );
  const markerOf = (core: number) => (core < 0 ? core : -1 - Math.floor(core / 64));
  const byCase = callsByCase(trace, markerOf);
  const outcomes = cases.map((_, k): CaseOutcome => {
    const gave = new Map(
      done.result.told.map((told, cgn) => [cgn, `${told[`${k}`]}`.split(' ').filter(Boolean)]),
    );
    return { gave, calls: byCase.get(k) ?? [] };
  });
  return { done, outcomes, stuck: stuckCores(trace, cases.length) };
}

/** What came to the receivers of a transfer of one word and its partner: which CPEs hold the value and have counted it once. */
export function* receiversOf(
  c: CpeApi,
  { d }: Given,
  value: number,
): Generator<CpeOperation, readonly number[], number> {
  const found: number[] = [];
  for (let tid = 0; tid < 64; tid++) {
    // The last words of `d`, the word `own`, the word `come`.
    const [word, , , come] = yield* c.ldBlock(remoteAddress(tid, d + 248), 'i32', 4);
    if (come === 1 && word === value) found.push(tid);
    else if (come !== 0 || word !== 0) found.push(-1 - tid);
  }
  return found;
}

/** The cycles that some calls of a program take together. */
export function* timed(c: CpeApi, work: readonly CpeOperation[]): Generator<CpeOperation, number, number> {
  const begun = yield c.stime_cycle();
  for (const one of work) yield one;
  // The second look at the clock takes a cycle itself.
  return (yield c.stime_cycle()) - begun - 1;
}

/** A context in which a name means what another name means: so that one play tries them both. */
export const underOtherName = <Context extends object>(c: Context, name: string, other: string): Context =>
  // Calls are inherited, so the new context inherits from the given one. Both are names of calls of it.
  Object.assign(Object.create(c) as Context, { [name]: c[other as keyof Context] });
