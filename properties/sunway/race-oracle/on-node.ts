import { remoteBase, remotePitch } from '../../../actors/sunway/address/space.ts';
import type { CpeApi, CpeOperation } from '../../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import { replyWordAt } from '../../../actors/sunway/reply-word.ts';
import { RandomChoices } from '../../../kernel/choices.ts';
import { invariant } from '../../../kernel/errors.ts';
import { Run } from '../../../kernel/run.ts';
import { wireNode } from '../../../machines/sunway/assembly.ts';
import { sunwayConfig } from '../../../machines/sunway/config.ts';
import { coresPerGroup, type RaceEvent } from '../../../machines/sunway/monitors/race/race-event.ts';
import type { RaceReport } from '../../../machines/sunway/monitors/race/race-report.ts';
import { RaceAdapter } from '../../../machines/sunway/monitors/race-adapter.ts';
import { detectedErrors, pairOf } from './compared.ts';
import type { FoundPair, LogLine, OracleOp, OracleProgram } from './oracle-program.ts';
import { areaBytes, memoryBytes } from './oracle-programs.ts';
import { type DrawnProgram, drawnProgram, judgedLog, type OracleVerdict } from './oracle-run.ts';

type Steps = Generator<CpeOperation, void, number>;

/** Far above what a program takes that comes to its end. */
const lastTick = 100_000;
/** Static data begin behind the page of the runtime: the area of the programs is the first variable. */
const areaAt = 4096;

/** Cycles between two looks at something that has not come. */
const pause = 40;

/** The calls of an operation. */
function* callsOf(c: CpeApi, op: OracleOp, cpes: number, memory: number): Steps {
  const place = (tid: number, at: number): number =>
    areaAt + at + (tid === c.tid ? 0 : remoteBase + tid * remotePitch);
  const word = (at: number | null) => (at === null ? null : replyWordAt(areaAt + at));
  const block = (bytes: number) => new Int32Array(bytes / 4);
  switch (op.op) {
    case 'load':
      yield* c.ldBlock(place(op.tid, op.at), 'i32', op.bytes / 4);
      return;
    case 'store':
      yield c.stBlock(place(op.tid, op.at), block(op.bytes));
      return;
    case 'memoryLoad':
    case 'cachedLoad':
      yield* c.ldBlock(memory + op.at, 'i32', op.bytes / 4);
      return;
    case 'memoryStore':
    case 'cachedStore':
      yield c.stBlock(memory + op.at, block(op.bytes));
      return;
    case 'evict':
      yield c.scache_evict(memory + op.at, memory + op.at + op.bytes - 1);
      return;
    case 'add':
      yield c.faa(memory + op.at, 1);
      return;
    case 'raise':
      yield c.stFlag(place(op.tid, op.at), op.value);
      return;
    case 'look':
      while ((yield c.ldFlag(place(op.tid, op.at))) < op.value) yield c.compute(pause);
      return;
    case 'poll':
      while ((yield c.rplyRead(place(op.tid, op.word))) < op.value) yield c.compute(pause);
      return;
    case 'wait':
      yield c.rma_wait_value(replyWordAt(areaAt + op.word), op.value);
      return;
    case 'set':
      yield c.rplySet(replyWordAt(areaAt + op.word), op.value);
      return;
    case 'order':
      yield op.engine === 'dma'
        ? c.dma_barrier()
        : op.engine === 'rma'
          ? c.rma_barrier()
          : c.dma_all_barrier();
      return;
    case 'lock':
      yield op.lock === 0 ? c.smutex_lock_array() : c.smutex_lock_node();
      return;
    case 'unlock':
      yield op.lock === 0 ? c.smutex_unlock_array() : c.smutex_unlock_node();
      return;
    case 'sync':
      if (op.tids.length === cpes) yield c.ssync_array();
      else if (op.tids.length === 2) yield c.ssync_peer(op.tids.find((tid) => tid !== c.tid)!);
      else yield c.synr(op.tids.reduce((mask, tid) => mask + 2 ** tid, 0));
      return;
    case 'get':
    case 'put': {
      const [ldm, there] = [areaAt + op.ldm, memory + op.memory];
      if (op.op === 'get')
        yield op.blocking ? c.dma_get(ldm, there, op.bytes) : c.dma_iget(ldm, there, op.bytes, word(op.word));
      else
        yield op.blocking ? c.dma_put(there, ldm, op.bytes) : c.dma_iput(there, ldm, op.bytes, word(op.word));
      return;
    }
    case 'remoteGet':
    case 'remotePut': {
      const [own, other, remote] = [areaAt + op.own, areaAt + op.other, word(op.remote)];
      if (op.op === 'remoteGet')
        yield op.blocking
          ? c.rma_get(own, op.bytes, op.tid, other, remote)
          : c.rma_iget(own, word(op.local), op.bytes, op.tid, other, remote);
      else
        yield op.blocking
          ? c.rma_put(own, op.bytes, op.tid, other, remote)
          : c.rma_iput(own, word(op.local), op.bytes, op.tid, other, remote);
      return;
    }
    case 'broadcast': {
      const [to, from, local, remote] = [areaAt + op.to, areaAt + op.from, word(op.local), word(op.remote)];
      yield op.tids.includes(c.tid)
        ? c.rma_ibcast(to, from, local, op.bytes, remote)
        : c.rma_ibcast_other(to, from, local, op.bytes, remote);
    }
  }
}

/** A run of a program on a node: what the race monitor reads of it, and which operation of the program each step of a thread belongs to. */
class NodeRun {
  readonly events: RaceEvent[] = [];
  readonly verdict: string;
  readonly #program: OracleProgram;
  readonly #steps: readonly number[][];
  #memory = 0;

  constructor(program: OracleProgram, seed: number, fidelity: 'functional' | 'tlm') {
    this.#program = program;
    this.#steps = program.map(() => []);
    const config = sunwayConfig.parse({
      cpesPerCg: program.length,
      memoryMiB: 1,
      fidelity,
      cacheKiB: program.some((ops) => ops.some(({ op }) => op.startsWith('cached'))) ? 32 : 0,
      timing: { spawn: { latency: 10 } },
      fuzz: { maxJitter: 60, reorder: true },
    });
    const { wiring } = wireNode(config, [this.#host()]);
    const run = new Run(wiring, { choices: new RandomChoices(seed) });
    const adapter = new RaceAdapter(config, (event) => this.events.push(event));
    run.probes$.subscribe(({ tick, probe }) => adapter.probe(tick, probe));
    run.messages$.subscribe(({ message, from, to }) =>
      adapter.message({ tick: message.due, from, to, event: message.event }),
    );
    run.until(lastTick);
    this.verdict = run.outcome.verdict;
  }

  #host(): MpeProgram {
    const thread = this.#thread();
    const keep = (memory: number): number => {
      this.#memory = memory;
      return memory;
    };
    return function* (h) {
      yield h.init();
      yield h.athread_spawn(thread, keep(h.memAlloc(memoryBytes, 128)));
      yield h.athread_join();
    };
  }

  #thread(): CpeProgram {
    const [program, steps] = [this.#program, this.#steps];
    return function* (c, memory) {
      const area = c.ldmStatic('area', areaBytes, 64);
      // Laying out is the first step of the thread.
      steps[c.tid]!.push(-1);
      invariant(area === areaAt, `the area lies at ${area}`);
      for (const [index, op] of program[c.tid]!.entries()) {
        const calls = callsOf(c, op, program.length, memory);
        for (let next = calls.next(0); !next.done; ) {
          steps[c.tid]!.push(index);
          next = calls.next(yield next.value);
        }
      }
    };
  }

  /** What happened, by the operations of the program; the order alone is the monitor's. */
  get log(): readonly LogLine[] {
    /** By CPE: the operation that has touched something last. The value of a read comes when the next call may have begun. */
    const reading = new Map<number, number>();
    return this.events.flatMap((event): readonly LogLine[] => {
      const { core: tid, kind } = event;
      const ops = this.#program[tid];
      if (!ops) return [];
      if (kind === 'thread.end') return [{ tid, index: ops.length, what: 'ends' }];
      const index = this.#steps[tid]![event.operation.step - 1];
      if (index === undefined || index < 0) return [];
      const line = { tid, index };
      switch (kind) {
        case 'cache.fill':
        case 'cache.writeBack':
        case 'cache.drop':
          return [{ ...line, what: lineHappenings[kind], value: event.address - this.#memory }];
        // The next call may have begun when a barrier opens, a lock is owned or is back.
        case 'lock':
        case 'unlock':
          return [{ tid, index: lastOf(ops, index, kind), what: 'does' }];
        case 'group.arrive':
          return [{ ...line, what: 'arrives' }];
        case 'group.leave':
          return [{ tid, index: lastOf(ops, index, 'sync'), what: 'leaves' }];
        case 'reply.waited':
          return [{ ...line, what: 'finds', value: event.value }];
        case 'reply.read': {
          const read = reading.get(tid)!;
          return ops[read]!.op === 'poll' ? [{ tid, index: read, what: 'finds', value: event.value }] : [];
        }
        default:
          reading.set(tid, index);
          return [{ ...line, what: 'does' }];
      }
    });
  }

  /** The operations of a report. */
  pair(report: RaceReport): FoundPair {
    const indexOf = (one: RaceReport['first']): number => this.#steps[one.core]?.[one.step - 1] ?? -1;
    const { first, second } = report;
    const ends = second.does === 'ends its thread';
    return pairOf({
      ...report,
      first: { ...first, step: indexOf(first) },
      second: { ...second, step: ends ? this.#program[second.core]!.length : indexOf(second) },
    });
  }
}

const lineHappenings = {
  'cache.fill': 'fills',
  'cache.writeBack': 'writesBack',
  'cache.drop': 'drops',
} as const;

/** The last operation of a kind up to an index. */
const lastOf = (ops: readonly OracleOp[], index: number, kind: OracleOp['op']): number =>
  ops.findLastIndex(({ op }, at) => at <= index && op === kind);

/** Runs the program of a seed on a node, under a schedule of its own, and holds what the monitor finds against the oracle. */
export function nodeVerdict(seed: number): OracleVerdict {
  const [drawn] = drawnProgram(seed);
  return verdictOnNode(drawn, seed);
}

/** The same of any program. */
export function verdictOnNode(drawn: DrawnProgram, seed: number): OracleVerdict {
  const run = new NodeRun(drawn.program, seed, seed % 2 === 0 ? 'tlm' : 'functional');
  const found = judgedLog(drawn, run.log, (policy) =>
    detectedErrors(run.events, policy)
      .filter(({ cores }) => cores.every((core) => core < coresPerGroup - 1))
      .map((one) => run.pair(one)),
  );
  if (drawn.kind !== 'right' || run.verdict === 'ok') return found;
  return { ...found, wrong: [...found.wrong, `a right program ends as ${run.verdict}`] };
}
