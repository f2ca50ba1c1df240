import { blockInOrder, blocksOfCluster, Cluster, clusterBarrier } from './cluster.ts';
import { type KernelCounts, noCounts } from './counts.ts';
import type { DeviceMemory } from './device-memory.ts';
import { type LaneMessage, laneMessages } from './lane-messages.ts';
import { blocksOf, type Launch } from './launch.ts';
import { StandingStill } from './standing-still.ts';
import { finishMessage, step, stepped } from './step.ts';
import { ThreadBlock } from './thread-block.ts';
import { Scratch, type Warp } from './warp.ts';

/** Where messages of a grid go and come from. */
export interface Exchange {
  send(message: LaneMessage): void;
  /** The value that a receive gets; undefined while there is none. */
  receive(message: LaneMessage): number | undefined;
}

/** Warps that can never go on: they wait at different barriers, or go round in the same state for ever (chiplet specification 13, E-DEADLOCK). */
export class BarrierDeadlock extends Error {
  override readonly name = 'BarrierDeadlock';
  readonly code = 'E-DEADLOCK';
}

/** A grid that was stopped after as many warp instructions as it may have. */
export class StepLimit extends Error {
  override readonly name = 'StepLimit';
  readonly code = 'E-LIMIT';
}

/** Instructions that a warp may carry out before the next one has its turn: it may wait for what that one writes. */
const stepsOfRound = 4096;
/** Rounds that a block may have before the next one begins: it may wait for what that one writes. */
const roundsOfBlock = 256;
const placesShown = 4;

const nameOfBarrier = (barrier: number): string =>
  barrier === clusterBarrier ? 'that of the cluster' : `${barrier}`;

/** True when a warp goes on only after another one has done something. */
const waitsForOthers = ({ finished, barrier, standsStill }: Warp): boolean =>
  finished || barrier >= 0 || standsStill;

/** What a run of a grid came to: it ended, or it waits for messages. */
export type GridProgress = 'finished' | 'waiting';

/** How a grid is run without timing. */
export interface FunctionalOptions {
  /** Picks which of `count` warps goes on, one instruction at a time; without it each goes on for a round. */
  readonly pick?: (count: number) => number;
  /** Called before each instruction that is carried out. */
  readonly look?: (warp: Warp) => void;
  /** Warp instructions that the grid may issue; without it as many as it wants. */
  readonly stepsMost?: number;
}

/**
 * A grid that is carried out without timing (chiplet specification 7.2): one block after the other, unless messages are waited for.
 *
 * Details: counts are those of `counts`. Errors: `MemoryFault`, `MessageFault`, `BarrierDeadlock`, `StepLimit`.
 */
export class FunctionalGrid {
  readonly counts: KernelCounts = noCounts();
  readonly #scratch = new Scratch();
  readonly #blocks: ThreadBlock[] = [];
  /** Lanes whose receive has been answered, by warp. */
  readonly #answered = new Map<Warp, number>();
  readonly #stepsMost: number;
  #next = 0;

  constructor(
    readonly launch: Launch,
    readonly memory: DeviceMemory,
    readonly exchange: Exchange,
    readonly options: FunctionalOptions = {},
  ) {
    this.#stepsMost = options.stepsMost ?? Number.POSITIVE_INFINITY;
  }

  /** Goes on as far as possible. */
  run(): GridProgress {
    const count = blocksOf(this.launch);
    for (const block of [...this.#blocks]) this.#goOn(block, roundsOfBlock);
    while (this.#next < count) {
      const cluster = new Cluster(blocksOfCluster(this.launch));
      for (let rank = 0; rank < cluster.size; rank++) {
        const number = blockInOrder(this.launch, this.#next++);
        const core = { number: 0, count: 1 };
        this.#blocks.push(new ThreadBlock(this.launch, number, core, this.memory, this.#scratch, cluster));
      }
      this.#begin(cluster);
    }
    // What one block sent or wrote, another may have waited for.
    const still = new StandingStill();
    for (let moved = true; moved && this.#blocks.length > 0; ) {
      const { messagesSent, messagesReceived } = this.counts;
      moved = false;
      for (const block of [...this.#blocks]) if (this.#goOn(block, 1)) moved = true;
      const closed =
        messagesSent === this.counts.messagesSent && messagesReceived === this.counts.messagesReceived;
      if (moved && closed && !this.#hasOutside && still.goesRound(this.#blocks, this.memory))
        this.#reportRound();
      if (!moved) this.#checkClusters();
    }
    return this.#blocks.length === 0 ? 'finished' : 'waiting';
  }

  /** The blocks of a cluster as far as they can go at first: one alone, or several in turn. */
  #begin(cluster: Cluster): void {
    if (cluster.size === 1) {
      this.#goOn(cluster.blocks[0]!, roundsOfBlock);
      return;
    }
    let moved = true;
    for (let round = 0; moved && round < roundsOfBlock; round++) {
      moved = false;
      for (const block of cluster.blocks)
        if (this.#blocks.includes(block) && this.#goOn(block, 1)) moved = true;
    }
  }

  /** Reports a cluster all of whose warps wait at barriers. Errors: `BarrierDeadlock`. */
  #checkClusters(): void {
    for (const { home } of this.#blocks) {
      const warps = home.cluster.blocks.flatMap((block) => block.warps);
      if (!warps.every(({ finished, barrier }) => finished || barrier >= 0)) continue;
      const places = home.cluster.blocks.flatMap(({ number, warps: own }) =>
        own
          .filter(({ finished }) => !finished)
          .map((warp) => `block ${number}, warp ${warp.number} at ${nameOfBarrier(warp.barrier)}`),
      );
      throw new BarrierDeadlock(
        `E-DEADLOCK kernel ${this.launch.kernel.name}: warps of a cluster wait at different barriers: ${places.slice(0, placesShown).join(', ')}`,
      );
    }
  }

  /** True when what warps do depends on more than their state: time, or who is picked. */
  get #hasOutside(): boolean {
    return (
      this.options.pick !== undefined ||
      this.launch.kernel.special.some(({ name }) => /^%(clock|globaltimer)/.test(name))
    );
  }

  /** Reports warps that go round for ever. Errors: always. */
  #reportRound(): never {
    const { code, name, file } = this.launch.kernel;
    const places = this.#blocks.flatMap(({ number, warps }) =>
      warps
        .filter(({ finished, barrier }) => !finished && barrier < 0)
        .map((warp) => {
          const { at, text } = code[warp.pc]!;
          return `block ${number}, warp ${warp.number}, lanes ${(warp.mask >>> 0).toString(16)} at ${file}:${at.line}: ${text}`;
        }),
    );
    throw new BarrierDeadlock(
      `E-DEADLOCK kernel ${name}: warps go round in the same state for ever: ${places.slice(0, placesShown).join('; ')}`,
    );
  }

  /** Goes on with a block for so many rounds; true when it got further and has not ended. */
  #goOn(block: ThreadBlock, rounds: number): boolean {
    let moved = true;
    for (let round = 0; moved && round < rounds; round++) {
      moved = this.options.pick ? this.#oneByOne(block, this.options.pick) : this.#inTurn(block);
      if (block.openBarrier() || block.home.cluster.openBarrier()) {
        this.counts.barriersCompleted++;
        moved = true;
      } else if (block.warps.every(waitsForOthers)) break;
    }
    if (block.finished) {
      this.#blocks.splice(this.#blocks.indexOf(block), 1);
      return true;
    }
    const stands = block.warps.every(({ finished, barrier }) => finished || barrier >= 0);
    if (!moved && stands && block.warps.every(({ barrier }) => barrier !== clusterBarrier))
      throw new BarrierDeadlock(
        `E-DEADLOCK kernel ${this.launch.kernel.name}, block ${block.number}: warps wait at different barriers: ${block.warps.map(({ number, barrier }) => `warp ${number} at ${barrier}`).join(', ')}`,
      );
    return moved;
  }

  /** Each warp as far as it can in a round; true when one got further. */
  #inTurn(block: ThreadBlock): boolean {
    let moved = false;
    for (const warp of block.warps) {
      warp.idleTurns = 0;
      for (let steps = 0; steps < stepsOfRound && !warp.standsStill && this.#step(warp); steps++)
        moved = true;
    }
    return moved;
  }

  /** One instruction of a warp that is picked among those that can go on. */
  #oneByOne(block: ThreadBlock, pick: (count: number) => number): boolean {
    const ready = block.warps.filter(({ finished, barrier }) => !finished && barrier < 0);
    let moved = false;
    while (ready.length > 0) {
      const at = pick(ready.length);
      if (this.#step(ready[at]!)) moved = true;
      else ready.splice(at, 1);
    }
    return moved;
  }

  /** True when the warp can perhaps go on after it. */
  #step(warp: Warp): boolean {
    if (warp.finished || warp.barrier >= 0) return false;
    const { code } = this.launch.kernel;
    this.options.look?.(warp);
    if (this.#answered.has(warp)) return this.#message(warp);
    warp.clock++;
    if (this.counts.warpInstructions >= this.#stepsMost)
      throw new StepLimit(
        `E-LIMIT kernel ${this.launch.kernel.name} has issued stepsMost = ${this.#stepsMost} warp instructions and has not ended`,
      );
    const effect = step(warp, code, this.counts);
    return effect === stepped.message ? this.#message(warp) : effect !== stepped.barrier;
  }

  /** Lane by lane: a receive that has no value yet holds those behind it. */
  #message(warp: Warp): boolean {
    const instruction = this.launch.kernel.code[warp.pc]!;
    const { result } = instruction.message!;
    const done = this.#answered.get(warp) ?? 0;
    const all = laneMessages(warp, instruction);
    for (let at = done; at < all.length; at++) {
      const message = all[at]!;
      let value: number | undefined = message.value;
      if (message.operation === 'send') {
        this.exchange.send(message);
        this.counts.messagesSent++;
      } else {
        value = this.exchange.receive(message);
        if (value === undefined) {
          this.#answered.set(warp, at);
          return false;
        }
        this.counts.messagesReceived++;
      }
      warp.i[result + message.lane] = value;
    }
    this.#answered.delete(warp);
    finishMessage(warp);
    return true;
  }
}
