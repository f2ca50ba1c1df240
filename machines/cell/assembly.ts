import { arbitrationRules } from '../../actors/cell/arbitration-rule.ts';
import { burstArbiter } from '../../actors/cell/burst/arbiter.ts';
import { type BurstControllerContext, burstController } from '../../actors/cell/burst/controller.ts';
import { type BurstDmaContext, burstDmaModule } from '../../actors/cell/burst/dma-module.ts';
import { LocalStores } from '../../actors/cell/burst/local-stores.ts';
import { Roster } from '../../actors/cell/burst/roster.ts';
import { type BurstSpuContext, burstSpu } from '../../actors/cell/burst/spu.ts';
import type { BusContext } from '../../actors/cell/command-bus.ts';
import type { ControllerContext } from '../../actors/cell/controller.ts';
import type { DmaContext } from '../../actors/cell/dma-module.ts';
import { fastArbiter } from '../../actors/cell/fast/arbiter.ts';
import { ArbitrationScheduler } from '../../actors/cell/fast/arbitration-scheduler.ts';
import { hashOfMemories, hexOf } from '../../actors/cell/fnv.ts';
import type { Instruction, InstructionResult } from '../../actors/cell/instructions.ts';
import type { MemoryContext } from '../../actors/cell/memory-module.ts';
import {
  GeneratorProgram,
  SaturateProgram,
  type SpuProgram,
  TimedProgram,
} from '../../actors/cell/program.ts';
import { burstProtocol, cellProtocol } from '../../actors/cell/protocol.ts';
import { RequestTable } from '../../actors/cell/request-table.ts';
import type { SpuContext } from '../../actors/cell/spu.ts';
import { ByteMemory } from '../../actors/common/byte-memory.ts';
import type { ProgramFunction } from '../../actors/common/program.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Assembly, Given } from '../machine.ts';
import type { CellConfig, CellPrograms } from './config.ts';
import { type CellFigures, figuresOf } from './figures.ts';
import { type CellParts, soundParts } from './parts.ts';

/** What a run of the Cell ring machine yields: the content of `cell-result/1` and the figures of Cell specification 14. */
export interface CellRunResult extends CellFigures {
  readonly name: string;
  readonly policy: string;
  /** Cycles executed: numbers 0..cycles-1. */
  readonly cycles: number;
  readonly commands: number;
  /** FNV-1a over all memories, SPU 0 first. */
  readonly memHash: string;
  /** FNV-1a over the logged values. */
  readonly readHash: string;
  /** True when requests are left that did not finish. */
  readonly incomplete: boolean;
  readonly exceptions: readonly { readonly spu: number; readonly why: string }[];
}

/** A wired Cell ring machine. */
export interface CellAssembly extends Assembly<CellRunResult> {
  /** The memory of an SPU as it is now: what the event log's record of memory contents is taken from. */
  readonly memory: (run: Run, spu: number) => ByteMemory;
}

/** Initial byte at an address of an SPU's memory (Cell specification 18.1). */
export const patternByte = (spu: number, address: number): number =>
  (spu * 167 + address * 13 + Math.floor(address / 256) * 7 + 1) % 256;

/** The memories before the first cycle. */
export function initialMemories(config: CellConfig): ByteMemory[] {
  return Array.from({ length: config.N }, (_, spu) => {
    const memory = new ByteMemory(config.memSize);
    if (config.memory === 'pattern') memory.fill((address) => patternByte(spu, address));
    return memory;
  });
}

/** The programs of all SPUs, ready to run. SPUs without one have an empty program. */
export function programsOf(config: CellConfig, programs: CellPrograms): SpuProgram[] {
  return Array.from({ length: config.N }, (_, spu) => {
    if (!Array.isArray(programs))
      return new SaturateProgram(programs.saturate, spu, config.N, config.memSize);
    const program = programs[spu] ?? [];
    if (Array.isArray(program)) return new TimedProgram(program);
    const { module, program: make } = program;
    invariant(make, `the program ${module} was not loaded`);
    return new GeneratorProgram(
      () => make(spu) as ReturnType<ProgramFunction<Instruction, InstructionResult>>,
    );
  });
}

/** Wires a machine in which every step is a message. */
export function assembleSteps(
  given: Given<CellConfig, CellPrograms>,
  parts: CellParts = soundParts,
): CellAssembly {
  const { config } = given;
  const { N, memSize } = config;
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(cellProtocol, { checked: false });
  const interleaving =
    config.interleaving === 'auto' ? (given.scheduled ? 'free' : 'ordered') : config.interleaving;
  const controller = wiring.reserve('Cell.Controller');
  const arbiter = wiring.reserve('Cell.Arbiter');
  const bus = wiring.reserve('Cell.Bus');
  const reserveAll = (name: (spu: number) => string): Address[] =>
    Array.from({ length: N }, (_, spu) => wiring.reserve(name(spu)));
  const spus = reserveAll((spu) => `Cell.Spu[${spu}]`);
  const modules = reserveAll((spu) => `Cell.Spu[${spu}].Dma`);
  const memories = reserveAll((spu) => `Cell.Spu[${spu}].Memory`);

  wiring.place(controller, parts.controller, {
    spus,
    modules,
    arbiter,
    cycles: config.run === 'untilIdle' ? null : config.run.cycles,
    interleaving,
    skipIdle: config.skipIdle,
  });
  if (arbitratesFast(given, parts))
    wiring.place(arbiter, fastArbiter, { scheduler: schedulerOf(config), controller, modules });
  else {
    const { policy } = config;
    const segment = { arbiter, N, K: config.K, rule: arbitrationRules[policy] };
    const requests = modules.map((_, spu) =>
      wiring.family(`Cell.Arbiter.Spu[${spu}].Request`, () => ({
        machine: parts.ringRequest,
        input: segment,
      })),
    );
    wiring.place(arbiter, parts.arbiter, { ...arbitrationOf(config), policy, controller, modules, requests });
  }
  wiring.place(bus, parts.bus, { modules });
  const programs = programsOf(config, given.programs);
  const bytes = initialMemories(config);
  for (let spu = 0; spu < N; spu++) {
    const requests = wiring.family(`Cell.Spu[${spu}].Dma.Request`, (id) => ({
      machine: parts.request,
      input: { spu, id, module: modules[spu] },
    }));
    wiring.place(spus[spu]!, parts.spu, {
      spu,
      memSize,
      maxInstrPerCycle: config.maxInstrPerCycle,
      program: programs[spu]!,
      memory: memories[spu],
      dma: modules[spu],
      controller,
    });
    wiring.place(modules[spu]!, parts.dma, {
      spu,
      intake: { N, memSize, selfTransfer: config.selfTransfer, zeroSize: config.zeroSize },
      maxOutstanding: config.maxOutstanding,
      anyOrder: interleaving === 'free',
      owner: spus[spu],
      arbiter,
      bus,
      controller,
      memories,
      requests,
    });
    wiring.place(memories[spu]!, parts.memory, { spu, bytes: bytes[spu] });
  }
  wiring.begin({ to: controller, type: 'machine.start' });

  return {
    wiring,
    // Every step of a cycle is a handful of messages; far more means that a program does not end its cycle.
    deliveriesPerTickMax: 1_000_000 + 50 * N * config.maxInstrPerCycle,
    result: (run) => resultIn(given, contextsOf(run)),
    memory: (run, spu) => contextOf<MemoryContext>(run, memories[spu]!).bytes,
  };
}

/** Wires a machine in which each actor handles a whole phase in one message and transfers move in bulk: canonical order only. */
export function assembleBursts(given: Given<CellConfig, CellPrograms>): CellAssembly {
  const { config } = given;
  const { N, memSize } = config;
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(burstProtocol, { checked: false });
  const controller = wiring.reserve('Cell.Controller');
  const arbiter = wiring.reserve('Cell.Arbiter');
  const spus = Array.from({ length: N }, (_, spu) => wiring.reserve(`Cell.Spu[${spu}]`));
  const modules = Array.from({ length: N }, (_, spu) => wiring.reserve(`Cell.Spu[${spu}].Dma`));
  const stores = new LocalStores(initialMemories(config));
  const roster = new Roster(N);
  const programs = programsOf(config, given.programs);

  wiring.place(controller, burstController, {
    spus,
    arbiter,
    cycles: config.run === 'untilIdle' ? null : config.run.cycles,
    skipIdle: config.skipIdle,
    stores,
    roster,
  });
  wiring.place(arbiter, burstArbiter, { scheduler: schedulerOf(config), controller, modules });
  for (let spu = 0; spu < N; spu++) {
    const table = new RequestTable(spu);
    wiring.place(spus[spu]!, burstSpu, {
      spu,
      intake: { N, memSize, selfTransfer: config.selfTransfer, zeroSize: config.zeroSize },
      maxOutstanding: config.maxOutstanding,
      maxInstrPerCycle: config.maxInstrPerCycle,
      program: programs[spu]!,
      stores,
      table,
      roster,
      spus,
      arbiter,
      controller,
    });
    wiring.place(modules[spu]!, burstDmaModule, { spu, table, stores, roster });
  }
  wiring.begin({ to: controller, type: 'machine.start' });

  return {
    wiring,
    result: (run) => resultIn(given, contextsOf(run)),
    memory: (run, spu) => contextOf<BurstControllerContext>(run, controller).stores.memories[spu]!,
  };
}

/** Points of rings up to which requests for segments are actors also where nothing but the default order is asked for. */
const explicitPointsMax = 16;

/** The fast arbiter is sound and serves runs in the default order; faults and schedules see the requests for segments as actors. */
function arbitratesFast({ config, scheduled, faults }: Given<CellConfig>, parts: CellParts): boolean {
  const { arbiter, N, K } = config;
  if (parts !== soundParts) return false;
  if (arbiter !== 'auto') return arbiter === 'fast';
  return !scheduled && !faults?.length && 2 * K * N > explicitPointsMax;
}

const arbitrationOf = ({ N, K, boundedWait, planSeed }: CellConfig) => ({
  N,
  K,
  boundedWait,
  seed: planSeed,
});

const schedulerOf = (config: CellConfig): ArbitrationScheduler =>
  new ArbitrationScheduler({ ...arbitrationOf(config), policy: config.policy });

/** The context of an actor, by its name: of a run as it is now, or of a global state. */
export type ContextOf = <Context>(name: string) => Context;

const contextOf = <C>(run: Run, address: Address): C => run.part(address).context as unknown as C;

function contextsOf(run: Run): ContextOf {
  const contexts = new Map<string, unknown>(run.parts.map(({ name, context }) => [name, context]));
  return <C>(name: string) => contexts.get(name) as C;
}

/** Both kinds of machine have a controller; in bursts it shares the memories with the others. */
const controllerIn = (contextOf: ContextOf) =>
  contextOf<ControllerContext & Partial<Pick<BurstControllerContext, 'stores'>>>('Cell.Controller');

/** The memory of an SPU. */
export const memoryIn = (contextOf: ContextOf, spu: number): ByteMemory =>
  controllerIn(contextOf).stores?.memories[spu] ?? contextOf<MemoryContext>(`Cell.Spu[${spu}].Memory`).bytes;

/** The result of a run so far. */
export function resultIn(given: Given<CellConfig, CellPrograms>, contextOf: ContextOf): CellRunResult {
  const { N } = given.config;
  const { cycles, t, readHash, stores } = controllerIn(contextOf);
  const executed = cycles || t + 1;
  const each = <T>(of: (spu: number) => T): T[] => Array.from({ length: N }, (_, spu) => of(spu));
  // Transfers under way are carried out in a copy: who looks changes nothing.
  const settled = stores?.fork();
  settled?.settle(executed - 1);
  const memories = settled?.memories ?? each((spu) => memoryIn(contextOf, spu));
  const tables = each((spu) => contextOf<DmaContext | BurstDmaContext>(`Cell.Spu[${spu}].Dma`).table.entries);
  return resultOf(given, executed, tables, {
    commands: stores ? null : contextOf<BusContext>('Cell.Bus').commands,
    memHash: hashOfMemories(memories),
    readHash,
    exceptions: each((spu) => contextOf<SpuContext | BurstSpuContext>(`Cell.Spu[${spu}]`).exception),
  });
}

/** Puts the result of a run together. */
export function resultOf(
  given: Given<CellConfig, CellPrograms>,
  cycles: number,
  tables: readonly Parameters<typeof figuresOf>[3][number][],
  rest: {
    readonly commands: number | null;
    readonly memHash: string;
    readonly readHash: number;
    readonly exceptions: readonly string[];
  },
): CellRunResult {
  const { N, K, policy } = given.config;
  const figures = figuresOf(N, K, cycles, tables);
  return {
    name: given.name,
    policy,
    cycles,
    ...figures,
    // Exactly one command precedes each byte (Cell specification 7); a machine without a bus counts the bytes.
    commands: rest.commands ?? figures.bytes,
    memHash: rest.memHash,
    readHash: hexOf(rest.readHash),
    incomplete: tables.some((table) => table.some(({ start, size }) => start < 0 || start + size > cycles)),
    exceptions: rest.exceptions.flatMap((why, spu) => (why === '' ? [] : [{ spu, why }])),
  };
}
