import { bitCount } from './arithmetic.ts';
import type { CalledFunction, CallOperands, FramePlace } from './called-function.ts';
import { clusterBarrier } from './cluster.ts';
import type { KernelCounts } from './counts.ts';
import type { BarrierOperands, Instruction, LaneValue } from './instruction.ts';
import { segmentsTouched } from './touched.ts';
import type { Warp } from './warp.ts';

/** What a step came to. */
export const stepped = {
  /** It went on. */
  on: 0,
  /** It waits at a barrier; `pc` is behind it. */
  barrier: 1,
  /** All its lanes have exited. */
  finished: 2,
  /** It is at a message instruction, for the lanes in `active`; `finishMessage` goes on behind it. */
  message: 3,
  /** It told a barrier that it has come, and went on. */
  arrived: 4,
} as const;

/** Carries out one instruction of a warp (chiplet specification 7.2). Errors: `MemoryFault`. */
export function step(warp: Warp, code: readonly Instruction[], counts: KernelCounts): number {
  const instruction = code[warp.pc]!;
  let mask = warp.mask;
  if (instruction.guard >= 0) {
    const guard = warp.i[instruction.guard]!;
    mask &= instruction.guardNegated ? ~guard : guard;
  }
  warp.active = mask;
  const lanes = mask === -1 ? 32 : bitCount(mask);
  counts.warpInstructions++;
  counts.threadInstructions += lanes;
  counts.lanesOfClass[instruction.classIndex]! += lanes;
  switch (instruction.kind) {
    case 'lanes':
      if (mask !== 0) instruction.run(warp, mask);
      break;
    case 'memory':
      if (mask !== 0) {
        instruction.run(warp, mask);
        countAccess(instruction, warp, mask, counts);
      }
      break;
    case 'branch':
      return branch(warp, instruction, mask, counts);
    case 'together':
      if (mask === 0) break;
      if (warp.parted.length > 0 && !warp.gather(allMembers(warp, instruction.members, mask)))
        return stepped.on;
      runTogether(warp, instruction, warp.mask === mask ? mask : guarded(warp, instruction));
      break;
    case 'call':
      return callFunction(warp, instruction, mask);
    case 'return':
      warp.leaveFunction(mask);
      warp.settle();
      return warp.finished ? stepped.finished : stepped.on;
    case 'table':
      return chooseTarget(warp, instruction, mask, counts);
    case 'exit':
      warp.retire(mask);
      break;
    case 'barrier':
      if (mask === 0) break;
      if (warp.parted.length > 0) {
        if (!warp.gather(-1)) return stepped.on;
        mask = guarded(warp, instruction);
        warp.active = mask;
      }
      if (mask !== warp.withThread) counts.partedBarriers++;
      return meet(warp, instruction.barrier!, mask);
    case 'cluster':
      if (mask === 0) break;
      return instruction.clusterStep === 'arrive' ? arriveAtCluster(warp, mask) : waitForCluster(warp, mask);
    case 'message':
      if (mask === 0) break;
      return stepped.message;
  }
  warp.pc++;
  // Most often nobody is waited for.
  if (warp.mask === 0 || warp.pc === warp.meeting) {
    warp.settle();
    if (warp.finished) return stepped.finished;
  }
  return stepped.on;
}

/** Lanes at hand that an instruction is for. */
function guarded({ i, mask }: Warp, { guard, guardNegated }: Instruction): number {
  if (guard < 0) return mask;
  return mask & (guardNegated ? ~i[guard]! : i[guard]!);
}

/** A call with a stack: lanes that call different functions do so one after the other, that of the first lane first. */
function callFunction(warp: Warp, { call, next }: Instruction, mask: number): number {
  const { callee, slot, stride } = call!;
  const ways = new Map<CalledFunction, number>();
  if (callee !== null) ways.set(callee, mask);
  else
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const address = warp.i[slot + stride * lane]! >>> 0;
      const high = stride === 2 ? warp.i[slot + 2 * lane + 1]! : 0;
      const found = high === 0 ? warp.home.kernel.functions.get(address) : undefined;
      if (found === undefined || !isOf(call!, found)) warp.noFunction(address, lane);
      ways.set(found, (ways.get(found) ?? 0) | (1 << lane));
    }
  const caller = warp.frame;
  const entries = mask === 0 ? [] : [...ways].reverse();
  for (const [one, lanes] of entries) warp.checkStack(caller + call!.frameBytes + one.frameBytes, lanes);
  warp.pc = next;
  for (const [one, lanes] of entries) warp.enterFunction(one, lanes, call!, caller);
  warp.settle();
  return warp.finished ? stepped.finished : stepped.on;
}

/** True for a function that such a call may be of. */
const isOf = ({ choice, given, results }: CallOperands, one: CalledFunction): boolean =>
  (choice === null || choice.includes(one.name)) &&
  sameSizes(given, one.parameters) &&
  sameSizes(results, one.results);

const sameSizes = (a: readonly FramePlace[], b: readonly FramePlace[]): boolean =>
  a.length === b.length && a.every(({ bytes }, at) => bytes === b[at]!.bytes);

/** A warp comes to a barrier, as a whole, whatever its lanes are (chiplet specification 7.2). */
function meet(warp: Warp, { number, threads, waits, vote }: BarrierOperands, mask: number): number {
  const { barriers } = warp.home;
  const barrier = firstValue(warp, number, mask);
  barriers.come(barrier, threads === null ? 0 : firstValue(warp, threads, mask), waits);
  if (vote !== null) {
    const said = vote.negated ? ~warp.i[vote.asked]! : warp.i[vote.asked]!;
    barriers.answer(barrier, bitCount(mask), bitCount(mask & said));
    warp.vote = vote;
    warp.voters = mask;
  }
  if (waits) warp.barrier = barrier;
  warp.pc++;
  warp.settle();
  if (waits) return stepped.barrier;
  return warp.finished ? stepped.finished : stepped.arrived;
}

/** Lanes say that they have come to the barrier of their cluster. */
function arriveAtCluster(warp: Warp, mask: number): number {
  if ((mask & (warp.arrived | warp.passed)) !== 0)
    warp.clusterFault('found a thread that arrives twice, expected barrier.cluster.wait between', mask);
  warp.arrived |= mask;
  warp.pc++;
  warp.settle();
  return warp.finished ? stepped.finished : stepped.arrived;
}

/** Lanes wait until all of their cluster have arrived. Lanes of the warp that have not may be held up by these, and go first. */
function waitForCluster(warp: Warp, mask: number): number {
  const absent = mask & ~(warp.arrived | warp.passed);
  if (absent !== 0)
    warp.clusterFault('found a thread that waits without barrier.cluster.arrive before', absent);
  const waits = (mask & warp.arrived) !== 0;
  if (waits && warp.alive !== warp.arrived && warp.home.kernel.turnsMost !== Number.POSITIVE_INFINITY)
    if (warp.letOthers()) return stepped.on;
  if (waits) {
    warp.barrier = clusterBarrier;
    warp.resting = mask;
  } else warp.passed &= ~mask;
  warp.pc++;
  warp.settle();
  if (waits) return stepped.barrier;
  return warp.finished ? stepped.finished : stepped.on;
}

/** Goes on behind a message instruction. */
export function finishMessage(warp: Warp): void {
  warp.pc++;
  warp.settle();
}

function countAccess({ access }: Instruction, warp: Warp, mask: number, counts: KernelCounts): void {
  const { space, what } = access!;
  switch (space) {
    case 'global':
      if (what === 'store') counts.globalStores++;
      else counts.globalLoads++;
      counts.globalSegments += segmentsTouched(warp.scratch, mask);
      return;
    case 'shared':
      counts.sharedAccesses++;
      return;
    case 'generic':
      counts.genericAccesses++;
      return;
    case 'local':
      counts.localAccesses++;
      return;
    case 'const':
      counts.constantLoads++;
      return;
    default:
  }
}

function branch(
  warp: Warp,
  { target, next, reconvergence, ways }: Instruction,
  taken: number,
  counts: KernelCounts,
): number {
  const at = warp.pc;
  const rest = warp.mask & ~taken;
  if (rest === 0) warp.goTo(target, ways);
  else if (taken === 0) warp.goTo(next, ways);
  else {
    counts.divergentBranches++;
    warp.part(
      [
        [target, taken],
        [next, rest],
      ],
      reconvergence,
      ways,
    );
    if (warp.depth > counts.stackDepthMost) counts.stackDepthMost = warp.depth;
  }
  warp.settle();
  if (warp.pc <= at && warp.depth + warp.parted.length > 0) warp.turn();
  return warp.finished ? stepped.finished : stepped.on;
}

/** brx.idx: each lane goes where its index says; one beyond the table goes to its last label. */
function chooseTarget(warp: Warp, instruction: Instruction, mask: number, counts: KernelCounts): number {
  const { targets, next, reconvergence, index, ways: loopWays } = instruction;
  const ways = new Map<number, number>();
  for (let lane = 0; lane < 32; lane++) {
    const bit = 1 << lane;
    if ((warp.mask & bit) === 0) continue;
    const chosen = index.slot < 0 ? index.value : warp.i[index.slot + lane]!;
    const to = mask & bit ? targets[Math.min(chosen >>> 0, targets.length - 1)]! : next;
    ways.set(to, (ways.get(to) ?? 0) | bit);
  }
  const [first] = ways.keys();
  if (ways.size === 1) warp.goTo(first!, loopWays);
  else {
    counts.divergentBranches++;
    warp.part([...ways], reconvergence, loopWays);
    if (warp.depth > counts.stackDepthMost) counts.stackDepthMost = warp.depth;
  }
  warp.settle();
  return warp.finished ? stepped.finished : stepped.on;
}

/** Lanes that some lane of the mask waits for. */
function allMembers({ i }: Warp, { slot, value }: LaneValue, mask: number): number {
  if (slot < 0) return value;
  let all = 0;
  for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) all |= i[slot + lane]!;
  return all;
}

/** Lanes that name the same members do it together, one group after the other. */
function runTogether(warp: Warp, { run, members }: Instruction, mask: number): void {
  if (members.slot < 0) {
    run(warp, mask);
    return;
  }
  for (let rest = mask; rest !== 0; ) {
    const asked = firstValue(warp, members, rest);
    let group = 0;
    for (let lane = 0; lane < 32; lane++)
      if ((rest >>> lane) & 1 && warp.i[members.slot + lane] === asked) group |= 1 << lane;
    run(warp, group);
    rest &= ~group;
  }
}

/** An operand in the first lane of the mask. */
function firstValue(warp: Warp, { slot, value }: LaneValue, mask: number): number {
  return slot < 0 ? value : warp.i[slot + 31 - Math.clz32(mask & -mask)]!;
}
