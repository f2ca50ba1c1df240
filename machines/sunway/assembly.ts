import type { AnyStateMachine } from 'xstate';
import { crossBase, memoryAddress, type SpaceSizes } from '../../actors/sunway/address/space.ts';
import {
  arraySide,
  columnOf,
  rowOf,
  spcMembers,
  spcOf,
  spcTidOf,
  tidAt,
} from '../../actors/sunway/array/identity.ts';
import { type DCacheInput, dCache } from '../../actors/sunway/cache/d-cache.ts';
import { clock } from '../../actors/sunway/clock.ts';
import { cpe } from '../../actors/sunway/cpe/cpe.ts';
import type { CpeInput } from '../../actors/sunway/cpe/cpe-state.ts';
import type { CpeIdentity } from '../../actors/sunway/cpe-identity.ts';
import { fastTbox } from '../../actors/sunway/engine/fast/tbox.ts';
import { fastFlitTbox } from '../../actors/sunway/engine/flit/fast/flit-tbox.ts';
import { flitAnswer } from '../../actors/sunway/engine/flit/flit-answer.ts';
import type { FlitEngineInput } from '../../actors/sunway/engine/flit/flit-input.ts';
import { flitTbox } from '../../actors/sunway/engine/flit/flit-tbox.ts';
import { flitTransfer } from '../../actors/sunway/engine/flit/flit-transfer.ts';
import { rmaAnswer } from '../../actors/sunway/engine/rma-answer.ts';
import type { WholeTboxInput } from '../../actors/sunway/engine/serving.ts';
import { tbox } from '../../actors/sunway/engine/tbox.ts';
import type { MemoryRoute, TboxInput } from '../../actors/sunway/engine/tbox-input.ts';
import { transfer } from '../../actors/sunway/engine/transfer.ts';
import { ldm } from '../../actors/sunway/ldm.ts';
import { fastMutexUnit } from '../../actors/sunway/locks/fast/mutex-unit.ts';
import { lock } from '../../actors/sunway/locks/lock.ts';
import type { MutexUnitInput } from '../../actors/sunway/locks/lock-rules.ts';
import { mutexUnit, type WholeMutexUnitInput } from '../../actors/sunway/locks/mutex-unit.ts';
import { bankedMemory } from '../../actors/sunway/memory/banked-memory.ts';
import { blockRequest } from '../../actors/sunway/memory/block-request.ts';
import type { MemoryCtrlInput, WholeMemoryCtrlInput } from '../../actors/sunway/memory/controller-input.ts';
import { fastBankedMemory } from '../../actors/sunway/memory/fast/banked-memory.ts';
import { fastMemoryCtrl } from '../../actors/sunway/memory/fast/memory-ctrl.ts';
import { memoryJob } from '../../actors/sunway/memory/memory-job.ts';
import { memoryCtrl } from '../../actors/sunway/memory-ctrl.ts';
import type { BarrierKind } from '../../actors/sunway/messages.ts';
import { mpe } from '../../actors/sunway/mpe/mpe.ts';
import type { MpeInput } from '../../actors/sunway/mpe/mpe-state.ts';
import { inputPort } from '../../actors/sunway/network/input-port.ts';
import { paiu } from '../../actors/sunway/network/paiu.ts';
import { local } from '../../actors/sunway/network/ports.ts';
import { router } from '../../actors/sunway/network/router.ts';
import { type NodeWordInput, nodeWord, wordsOf } from '../../actors/sunway/node-word.ts';
import { portedLdm } from '../../actors/sunway/ported-ldm.ts';
import type { MpeProgram } from '../../actors/sunway/program.ts';
import { sunwayProtocol } from '../../actors/sunway/protocol.ts';
import { ring } from '../../actors/sunway/ring.ts';
import { fileStore } from '../../actors/sunway/services/file-store.ts';
import { signalPath } from '../../actors/sunway/services/signal-path.ts';
import { sioProxy } from '../../actors/sunway/services/sio-proxy.ts';
import { taskPool } from '../../actors/sunway/services/task-pool.ts';
import { shareGroup } from '../../actors/sunway/shared/share-group.ts';
import { type BarrierInput, syncBarrier } from '../../actors/sunway/sync/barrier.ts';
import type { SyncNetInput } from '../../actors/sunway/sync/barrier-line.ts';
import { fastSyncNet } from '../../actors/sunway/sync/fast/sync-net.ts';
import { groupMembers } from '../../actors/sunway/sync/group.ts';
import { syncNet, type WholeSyncNetInput } from '../../actors/sunway/sync/sync-net.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { cacheBytesOf, crossBytesOf, layoutOf, memoryBytesOf, type SunwayConfig } from './config.ts';
import { bytesOfHex } from './file-digits.ts';
import { type MeshParts, placeMesh, reserveMesh } from './mesh.ts';
import { fileStoreName } from './node-files.ts';
import { timingOf } from './timing.ts';

/** The state machines that a node is wired from; mutants replace some. */
export interface SunwayParts {
  readonly mpe: typeof mpe;
  readonly cpe: typeof cpe;
  readonly ldm: typeof ldm;
  readonly dCache: typeof dCache;
  readonly tbox: typeof tbox;
  /** Inside `tbox`. */
  readonly transfer: typeof transfer;
  readonly rmaAnswer: typeof rmaAnswer;
  readonly memoryCtrl: typeof memoryCtrl;
  /** Inside `memoryCtrl`. */
  readonly memoryJob: typeof memoryJob;
  /** At the level of flits, in the place of `ldm`, `tbox` and `memoryCtrl`, and the network between them. */
  readonly portedLdm: typeof portedLdm;
  readonly flitTbox: typeof flitTbox;
  /** Inside `flitTbox`. */
  readonly flitTransfer: typeof flitTransfer;
  readonly flitAnswer: typeof flitAnswer;
  readonly bankedMemory: typeof bankedMemory;
  /** Inside `bankedMemory`. */
  readonly blockRequest: typeof blockRequest;
  readonly router: typeof router;
  /** Inside `router`. */
  readonly inputPort: typeof inputPort;
  readonly paiu: typeof paiu;
  readonly syncNet: typeof syncNet;
  /** Inside `syncNet`. */
  readonly syncBarrier: typeof syncBarrier;
  readonly mutexUnit: typeof mutexUnit;
  /** Inside `mutexUnit`. */
  readonly lock: typeof lock;
  readonly nodeWord: typeof nodeWord;
  readonly clock: typeof clock;
  readonly ring: typeof ring;
  readonly signalPath: typeof signalPath;
  readonly sioProxy: typeof sioProxy;
  readonly taskPool: typeof taskPool;
  readonly fileStore: typeof fileStore;
}

/** A node as specified. */
export const soundParts: SunwayParts = {
  mpe,
  cpe,
  ldm,
  dCache,
  tbox,
  transfer,
  rmaAnswer,
  memoryCtrl,
  memoryJob,
  portedLdm,
  flitTbox,
  flitTransfer,
  flitAnswer,
  bankedMemory,
  blockRequest,
  router,
  inputPort,
  paiu,
  syncNet,
  syncBarrier,
  mutexUnit,
  lock,
  nodeWord,
  clock,
  ring,
  signalPath,
  sioProxy,
  taskPool,
  fileStore,
};

/** The addresses of a core group's parts. */
export interface GroupParts {
  readonly mpe: Address;
  /** By tid. */
  readonly cpes: readonly Address[];
  readonly ldms: readonly Address[];
  /** None without a data cache. */
  readonly caches: readonly Address[];
  /** By cluster; only clusters that have a CPE. */
  readonly engines: ReadonlyMap<number, Address>;
  readonly memoryCtrl: Address;
  /** Null where no flits are moved. */
  readonly mesh: MeshParts | null;
  readonly syncNet: Address;
  readonly locks: Address;
  readonly signals: Address;
  readonly output: Address;
}

/** A wired node. */
export interface WiredNode {
  readonly wiring: Wiring;
  readonly groups: readonly GroupParts[];
  readonly nodeLocks: Address;
  /** The first word of the node. */
  readonly nodeWords: Address;
  readonly ring: Address;
  readonly tasks: Address;
  readonly files: Address;
}

/** Cycles that a clock which visits idle ones counts at most. */
export const clockCyclesMax = 10_000_000;

/** Numbers from 0. */
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

/** Who a CPE is; rows and columns end where the CPEs of the core group do (specification 2.4, 6.1). */
export const identityOf = (cgn: number, tid: number, cpes: number): CpeIdentity => ({
  tid,
  rid: rowOf(tid),
  cid: columnOf(tid),
  cgn,
  spc_tid: spcTidOf(tid),
  spcn: spcOf(tid),
  row_size: upTo(8).filter((column) => tidAt(rowOf(tid), column) < cpes).length,
  col_size: upTo(8).filter((row) => tidAt(row, columnOf(tid)) < cpes).length,
});

/** How large the address spaces of a node are. */
export const sizesOf = (config: SunwayConfig): SpaceSizes => ({
  cgs: config.cgs,
  memoryBytes: memoryBytesOf(config),
  crossBytes: crossBytesOf(config),
  sharedBytes: config.sldm.sizeKiB * 1024 * groupMembers(shareGroup(config.sldm.mode), 0).length,
});

/**
 * Wires a node (specification 2.1); `programs` has one host program for each core group. `fast`: with plain code in the place of actors for single transfers and
 * memory jobs, which says the same in the same order.
 */
export function wireNode(
  config: SunwayConfig,
  programs: readonly MpeProgram[],
  parts: SunwayParts = soundParts,
  fast = false,
): WiredNode {
  const { cgs, cpesPerCg, fuzz, onError } = config;
  const { maxJitter, reorder, seed: jitterSeed } = fuzz;
  const jitter = { maxJitter, jitterSeed };
  const timing = timingOf(config);
  const sizes = sizesOf(config);
  const trap = onError === 'trap';
  const layout = layoutOf(config);
  invariant(layout !== undefined, 'the configuration leaves room in the LDM');
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  wiring.speak(sunwayProtocol, { checked: false });
  const tids = upTo(cpesPerCg);
  const clusters = [...new Set(tids.map(spcOf))].sort((a, b) => a - b);
  const groups = upTo(cgs).map((cgn): GroupParts => {
    const own = (name: string): Address => wiring.reserve(`Cg[${cgn}].${name}`);
    return {
      mpe: own('Mpe'),
      cpes: tids.map((tid) => own(`Cpe[${tid}]`)),
      ldms: tids.map((tid) => own(`Ldm[${tid}]`)),
      caches: cacheBytesOf(config) > 0 ? tids.map((tid) => own(`DCache[${tid}]`)) : [],
      engines: new Map(clusters.map((cluster) => [cluster, own(`Tbox[${cluster}]`)])),
      memoryCtrl: own('MemCtrl'),
      syncNet: own('SyncNet'),
      locks: own('MutexUnit'),
      signals: own('SignalPath'),
      output: own('SioProxy'),
      mesh: config.fidelity === 'flit' ? reserveMesh(own) : null,
    };
  });
  const nodeLocks = wiring.reserve('Node.MutexUnit');
  const words = wordsOf(cgs);
  const nodeWords = wiring.family('Node.Word', (k) => ({
    machine: parts.nodeWord,
    input: { word: words[k]!, cgs, ...jitter } satisfies NodeWordInput,
  }));
  const ringAt = wiring.reserve('Node.Ring');
  const tasks = wiring.reserve('Node.TaskPool');
  const files = wiring.reserve(fileStoreName);
  // Behind all others, whose addresses are the same with and without it.
  const clockAt = config.skipAhead ? null : wiring.reserve('Node.Clock');
  const cross = { first: crossBase, bytes: sizes.crossBytes };
  const memories = groups.map((_, cgn) => ({ first: memoryAddress(cgn, 0), bytes: sizes.memoryBytes }));
  const keepers: MemoryRoute[] = groups.map(({ memoryCtrl: to }, cgn) => ({ ...memories[cgn]!, to }));
  // The cross segment is kept by the first core group.
  keepers.push({ ...cross, to: groups[0]!.memoryCtrl });
  wiring.place(ringAt, parts.ring, { keepers, extraCycles: Math.max(1, timing.ring.extra) });
  if (clockAt !== null) {
    wiring.place(clockAt, parts.clock, { self: clockAt, cgs, cyclesMax: clockCyclesMax });
    wiring.begin({ to: clockAt, type: 'clock.tick' });
  }
  const placeLocks = (self: Address, name: string, grantCycles: number): void => {
    const unit: MutexUnitInput = { grantCycles, ...jitter };
    if (fast) wiring.place(self, fastMutexUnit, unit);
    else {
      const locks = wiring.family(
        `${name}.Lock`,
        () => ({ machine: parts.lock, input: { self, unit } }),
        self,
      );
      wiring.place(self, parts.mutexUnit, { ...unit, locks } satisfies WholeMutexUnitInput);
    }
  };
  placeLocks(nodeLocks, 'Node.MutexUnit', timing.lock.grantNode);
  const earlier = Object.entries(config.files).map(([name, digits]) => ({ name, bytes: bytesOfHex(digits) }));
  wiring.place(files, parts.fileStore, { files: earlier });
  wiring.place(tasks, parts.taskPool, {
    files,
    earlier: new Map(earlier.map(({ name, bytes }) => [name, bytes])),
    rules: config.task,
    counterCycles: Math.max(2, timing.faa.latency),
    ...jitter,
  });
  for (const [cgn, group] of groups.entries()) {
    // What another core group keeps is reached by the ring.
    const routes = keepers.map((keeper) =>
      keeper.to === group.memoryCtrl ? keeper : { ...keeper, to: ringAt },
    );
    const { cpes, ldms, caches, engines, mesh } = group;
    const enginesByTid = tids.map((tid) => engines.get(spcOf(tid))!);
    const controller: MemoryCtrlInput = {
      self: group.memoryCtrl,
      ranges: cgn === 0 && cross.bytes > 0 ? [memories[cgn]!, cross] : [memories[cgn]!],
      timing,
      ...jitter,
    };
    const { self } = controller;
    if (fast) wiring.place(self, mesh ? fastBankedMemory : fastMemoryCtrl, controller);
    else {
      const job = { machine: mesh ? parts.blockRequest : parts.memoryJob, input: self };
      const jobs = wiring.family(`Cg[${cgn}].MemCtrl.Job`, () => job, self);
      const whole: WholeMemoryCtrlInput = { ...controller, jobs };
      wiring.place(self, mesh ? parts.bankedMemory : parts.memoryCtrl, whole);
    }
    if (mesh) placeMesh(wiring, parts, mesh, engines, routes, timing, `Cg[${cgn}]`, fast);
    const wires: SyncNetInput = { cpes, base: timing.sync.base, hop: timing.sync.hop, ...jitter };
    if (fast) wiring.place(group.syncNet, fastSyncNet, wires);
    else {
      const barriers = barriersInside(wiring, parts.syncBarrier, group.syncNet, cgn, wires);
      wiring.place(group.syncNet, parts.syncNet, { ...wires, barriers } satisfies WholeSyncNetInput);
    }
    placeLocks(group.locks, `Cg[${cgn}].MutexUnit`, timing.lock.grantArray);
    wiring.place(group.signals, parts.signalPath, { self: group.signals, host: group.mpe, ...jitter });
    wiring.place(group.output, parts.sioProxy, {
      files,
      acceptCycles: Math.max(1, timing.gld.latency - 1),
      ...jitter,
    });
    for (const [cluster, at] of engines) {
      const input: TboxInput = {
        self: at,
        tids: spcMembers(cluster).filter((tid) => tid < cpesPerCg),
        cpes,
        ldms,
        engines: enginesByTid,
        routes,
        timing,
        ...jitter,
        reorder,
      };
      if (mesh) {
        const entrance = {
          router: mesh.routers[cluster]!,
          port: local,
          cycles: Math.round(timing.flit.inject),
        };
        const engine: FlitEngineInput = { ...input, cluster, entrance };
        if (fast) wiring.place(at, fastFlitTbox, engine);
        else {
          const { flitTbox: machine, flitTransfer, flitAnswer } = parts;
          const inside = transfersInside(wiring, flitTransfer, flitAnswer, at, cgn, cluster, engine);
          wiring.place(at, machine, { ...engine, ...inside });
        }
      } else if (fast) wiring.place(at, fastTbox, input);
      else {
        const inside = transfersInside(wiring, parts.transfer, parts.rmaAnswer, at, cgn, cluster, input);
        wiring.place(at, parts.tbox, { ...input, ...inside });
      }
    }
    for (const tid of tids) {
      wiring.place(ldms[tid]!, mesh ? parts.portedLdm : parts.ldm, {
        self: ldms[tid]!,
        cpe: cpes[tid]!,
        core: 64 * cgn + tid,
        heapEnd: layout.stack,
        cacheFirst: layout.cache,
      });
      wiring.place(cpes[tid]!, parts.cpe, {
        self: cpes[tid]!,
        host: group.mpe,
        engine: enginesByTid[tid]!,
        cache: caches[tid] ?? null,
        ldms,
        routes,
        syncNet: group.syncNet,
        locks: group.locks,
        nodeLocks,
        nodeWords,
        signals: group.signals,
        output: group.output,
        facts: {
          identity: identityOf(cgn, tid, cpesPerCg),
          core: 64 * cgn + tid,
          cpes: cpesPerCg,
          sizes,
          cacheBytes: cacheBytesOf(config),
          sharedBytes: config.sldm.sizeKiB * 1024,
          shareMode: config.sldm.mode,
          shareInterleaveBytes: config.sldm.interleaveBytes,
          columnHalves: config.sync.colLeftRight,
          clockAhead: (64 * cgn + tid) * config.clockSkew,
          timing,
        },
        trap,
      } satisfies CpeInput);
    }
    for (const [tid, at] of caches.entries())
      wiring.place(at, parts.dCache, {
        self: at,
        cpe: cpes[tid]!,
        core: 64 * cgn + tid,
        bytes: cacheBytesOf(config),
        routes,
        timing,
      } satisfies DCacheInput);
    wiring.place(group.mpe, parts.mpe, {
      self: group.mpe,
      cgn,
      cpes,
      syncNet: group.syncNet,
      nodeWords,
      nodeLocks,
      tasks,
      clock: clockAt,
      routes,
      memory: memories[cgn]!,
      cross,
      timing,
      trap,
      program: programs[cgn]!,
    } satisfies MpeInput);
    wiring.begin({ to: group.mpe, type: 'core.turn' });
  }
  const node: WiredNode = { wiring, groups, nodeLocks, nodeWords, ring: ringAt, tasks, files };
  sendToJob(config, node);
  return node;
}

/** Declares the transfers and answers inside an engine. */
function transfersInside(
  wiring: Wiring,
  transfer: AnyStateMachine,
  answer: AnyStateMachine,
  at: Address,
  cgn: number,
  cluster: number,
  input: TboxInput,
): Pick<WholeTboxInput, 'transfers' | 'answers'> {
  const family = (name: string, machine: AnyStateMachine): Address =>
    wiring.family(`Cg[${cgn}].${name}`, () => ({ machine, input }), at);
  return {
    transfers: input.tids.map((tid) => family(`Cpe[${tid}].Transfer`, transfer)),
    answers: family(`Tbox[${cluster}].Answer`, answer),
  };
}

/** Declares the barriers inside the wires of an array: a family for each row, each column, and each CPE that is the first of pairs. */
function barriersInside(
  wiring: Wiring,
  machine: AnyStateMachine,
  self: Address,
  cgn: number,
  wires: SyncNetInput,
): WholeSyncNetInput['barriers'] {
  const families = (kind: BarrierKind, name: string, count: number): readonly Address[] =>
    upTo(count).map((index) => {
      const member = (mask: number) => {
        const input: BarrierInput = { self, line: { kind, index, mask }, wires };
        return { machine, input };
      };
      return wiring.family(`Cg[${cgn}].${name}[${index}].Barrier`, member, self);
    });
  return {
    row: families('row', 'Row', arraySide),
    column: families('column', 'Column', arraySide),
    pair: families('pair', 'Pair', wires.cpes.length),
  };
}

/** What comes from outside while the job runs: signals to it, and the end of single host processes (specification 5.7). */
function sendToJob({ job }: SunwayConfig, { wiring, groups, tasks, files }: WiredNode): void {
  for (const { signal, at } of job.bsignal) {
    if (signal === 34) wiring.begin({ to: tasks, type: 'job.drain', delay: at });
    else {
      for (const to of [files, tasks]) wiring.begin({ to, type: 'job.stop', delay: at });
      for (const { mpe: to } of groups) wiring.begin({ to, type: 'host.stop', delay: at });
    }
  }
  for (const { cgn, at } of job.kill) {
    const group = groups[cgn];
    if (group) wiring.begin({ to: group.mpe, type: 'host.stop', delay: at });
  }
}
