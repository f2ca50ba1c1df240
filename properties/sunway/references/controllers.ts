import type {
  DescriptorIssue,
  MemoryAccess,
  MemoryClaim,
  MemoryGrant,
  MemoryRead,
  MemoryResponse,
  MemoryWrite,
} from '../../../actors/sunway/messages.ts';
import type { TimingTable } from '../../../actors/sunway/timing/timing-table.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import { groupIn, isController } from '../context.ts';
import { type Follower, type Following, type Heard, Promises } from './follower.ts';
import { milli, type PutShape, piecesOf, shapeOfPut } from './formulas.ts';
import { timesOf } from './times.ts';

/*
 * The memory controllers of the levels that go by formulas (Sunway specification 7.1, 8.9, 9.1, 9.2), worked out beside the run: whose blocks are served next and
 * how long, who waits for whom, and in which cycle each answer comes. Times are in thousandths of a cycle where they are called so.
 */

/** Blocks that a core has served in its turn while others wait. */
const blocksPerTurn = 8;

interface Job {
  readonly transfer: number;
  readonly core: string;
  readonly pieces: readonly (readonly [number, number])[];
  readonly shape: PutShape;
  readonly isPut: boolean;
  /** Puts to some of the same bytes that were not written when it came. */
  readonly behind: readonly Job[];
  left: number;
  /** In thousandths, once its last block was admitted. */
  finish: number | undefined;
  hasData: boolean;
  isWritten: boolean;
}

interface Held {
  readonly access: MemoryAccess;
  readonly behind: readonly Job[];
}

interface Controller {
  readonly name: string;
  /** By core, in the order in which cores are served next. */
  turns: { readonly core: string; readonly jobs: Job[] }[];
  admitted: { readonly blocks: number; readonly finish: number }[];
  freeAt: number;
  gets: Job[];
  puts: Job[];
  held: Held[];
  /** The cycle in which it has something to do by itself. */
  wanted: number;
}

const touches = (a: Job['pieces'], b: Job['pieces']): boolean =>
  a[0]![0] < b.at(-1)![1] &&
  b[0]![0] < a.at(-1)![1] &&
  a.some(([from, to]) => b.some(([first, end]) => from < end && first < to));
const isFree = ({ behind }: { readonly behind: readonly Job[] }): boolean =>
  behind.every(({ isWritten }) => isWritten);

class ControllersFollower implements Follower {
  readonly watches = [
    'descriptor.issue',
    'memory.read',
    'memory.claim',
    'memory.write',
    'memory.access',
    'memory.turn',
    'memory.grant',
    'memory.response',
    'memory.answer',
  ];
  readonly #times: TimingTable;
  readonly #nameOf: Run['nameOf'];
  readonly #cores = new Map<number, string>();
  readonly #controllers = new Map<string, Controller>();
  readonly #promises = new Promises();

  constructor(times: TimingTable, run: Run) {
    this.#times = times;
    this.#nameOf = run.nameOf.bind(run);
  }

  difference(): string | undefined {
    return this.#promises.difference;
  }

  hear(event: LockstepEvent, { from, to, tick }: Heard): void {
    switch (event.type) {
      case 'descriptor.issue': {
        const { transfer, tid } = event as DescriptorIssue;
        this.#cores.set(transfer, `${groupIn(to)} ${tid}`);
        return;
      }
      case 'memory.grant': {
        const { transfer, granted } = event as MemoryGrant;
        this.#promises.keep(`the grant of transfer ${transfer} for ${granted}`, tick);
        return;
      }
      case 'memory.response': {
        const { transfer, through } = event as MemoryResponse;
        this.#promises.keep(`the response to transfer ${transfer}, through at ${through},`, tick);
        return;
      }
      case 'memory.answer':
        if (from.includes('.MemCtrl')) this.#promises.keep(`an answer of memory to ${to}`, tick);
        return;
    }
    if (!isController(to)) return;
    const controller = this.#controllerOf(to);
    if (controller.wanted < tick) {
      this.#promises.fail(`${to} does nothing in cycle ${controller.wanted}, though it could`);
      controller.wanted = Number.POSITIVE_INFINITY;
    }
    switch (event.type) {
      case 'memory.read':
      case 'memory.claim':
        this.#queue(controller, event as MemoryRead | MemoryClaim);
        break;
      case 'memory.write': {
        const put = controller.puts.find(({ transfer }) => transfer === (event as MemoryWrite).transfer)!;
        put.hasData = true;
        this.#write(controller, tick);
        break;
      }
      case 'memory.access': {
        const access = event as MemoryAccess;
        const behind = this.#before(controller, [[access.memory, access.memory + access.bytes]]);
        if (behind.length > 0) controller.held.push({ access, behind });
        else this.#access(controller, access, tick);
        return;
      }
    }
    this.#admit(controller, tick);
    this.#answer(controller, tick);
    this.#want(controller, tick);
  }

  #controllerOf(name: string): Controller {
    const known = this.#controllers.get(name);
    if (known) return known;
    const made = {
      ...{ name, turns: [], admitted: [], freeAt: 0, gets: [], puts: [], held: [] },
      wanted: Number.POSITIVE_INFINITY,
    };
    this.#controllers.set(name, made);
    return made;
  }

  #before({ puts }: Controller, pieces: Job['pieces']): readonly Job[] {
    return puts.filter((put) => !put.isWritten && touches(put.pieces, pieces));
  }

  #queue(controller: Controller, event: MemoryRead | MemoryClaim): void {
    const core = this.#cores.get(event.transfer)!;
    const pieces = piecesOf(event);
    const shape = shapeOfPut(event);
    const job: Job = {
      ...{ transfer: event.transfer, core, pieces, shape },
      isPut: event.type === 'memory.claim',
      behind: this.#before(controller, pieces),
      left: shape.blocks,
      finish: undefined,
      hasData: false,
      isWritten: false,
    };
    if (job.isPut) controller.puts.push(job);
    const waiting = controller.turns.find((one) => one.core === core);
    if (waiting) waiting.jobs.push(job);
    else controller.turns.push({ core, jobs: [job] });
  }

  /** Lets blocks into the window of the server, a few of each core in turn. */
  #admit(controller: Controller, tick: number): void {
    const { mc } = this.#times;
    controller.admitted = controller.admitted.filter(({ finish }) => finish > 1000 * tick);
    for (;;) {
      const [first] = controller.turns;
      if (first === undefined) return;
      const job = first.jobs[0]!;
      const blocks = Math.min(blocksPerTurn, job.left);
      const inside = controller.admitted.reduce((sum, one) => sum + one.blocks, 0);
      if (inside > 0 && inside + blocks > mc.writeBuffer) return;
      controller.freeAt = Math.max(controller.freeAt, 1000 * tick) + this.#cost(controller, job, blocks);
      controller.admitted.push({ blocks, finish: controller.freeAt });
      job.left -= blocks;
      controller.turns.shift();
      if (job.left === 0) {
        first.jobs.shift();
        job.finish = controller.freeAt;
        if (job.isPut)
          this.#promises.promise(`the grant of transfer ${job.transfer} for ${1000 * tick}`, tick + 1);
        else controller.gets.push(job);
      }
      if (first.jobs.length > 0) controller.turns.push(first);
    }
  }

  /** How long some blocks of a transfer occupy the server, in thousandths (9.1, 9.2). */
  #cost({ puts }: Controller, { isPut, shape, left }: Job, blocks: number): number {
    const { mc } = this.#times;
    if (!isPut) return (left === shape.blocks ? milli(mc.getDescCost) : 0) + milli(mc.getBlockCost) * blocks;
    const crowd = new Set(puts.map(({ core }) => core)).size;
    const { fullBlocks, partialUnits } = shape;
    const all =
      Math.round(fullBlocks * (milli(mc.putFullBlock) + (milli(mc.putCrowd) * crowd * crowd) / 4096)) +
      milli(mc.putPartialUnit) * partialUnits +
      (fullBlocks > 0 && partialUnits > 0 ? milli(mc.putMix) : 0);
    return Math.round((all * blocks) / shape.blocks);
  }

  #write(controller: Controller, tick: number): void {
    for (;;) {
      const next = controller.puts.find((one) => one.hasData && !one.isWritten && isFree(one));
      if (next === undefined) break;
      next.isWritten = true;
    }
    const free = controller.held.filter(isFree);
    controller.held = controller.held.filter((one) => !isFree(one));
    for (const { access } of free) this.#access(controller, access, tick);
  }

  /** A block of work for the server, and the latency that whoever asks has named. */
  #access(controller: Controller, { requester, answerDelay }: MemoryAccess, tick: number): void {
    controller.freeAt = Math.max(controller.freeAt, 1000 * tick) + milli(this.#times.mc.getBlockCost);
    const delay = Math.max(answerDelay, Math.ceil(controller.freeAt / 1000) - tick, 1);
    this.#promises.promise(`an answer of memory to ${this.#nameOf(requester)}`, tick + delay);
  }

  #isThrough = ({ finish }: Job, tick: number): boolean => finish !== undefined && finish <= 1000 * tick;

  #answer(controller: Controller, tick: number): void {
    const gets = controller.gets.filter((one) => this.#isThrough(one, tick) && isFree(one));
    const puts = controller.puts.filter((one) => one.isWritten && this.#isThrough(one, tick));
    if (gets.length + puts.length === 0) return;
    for (const { transfer, finish } of [...gets, ...puts])
      this.#promises.promise(`the response to transfer ${transfer}, through at ${finish},`, tick + 1);
    controller.gets = controller.gets.filter((one) => !gets.includes(one));
    controller.puts = controller.puts.filter((one) => !puts.includes(one));
  }

  /** When something that was admitted is through: then there may be room, or an answer. */
  #want(controller: Controller, tick: number): void {
    const { gets, puts, turns, admitted } = controller;
    let next = turns.length > 0 && admitted.length > 0 ? admitted[0]!.finish : Number.POSITIVE_INFINITY;
    for (const { finish } of gets) if (finish! > 1000 * tick) next = Math.min(next, finish!);
    for (const { finish, isWritten } of puts)
      if (isWritten && finish! > 1000 * tick) next = Math.min(next, finish!);
    controller.wanted = Math.max(tick + 1, Math.ceil(next / 1000));
  }
}

/** The controllers of a node whose schedule adds nothing to their times. */
export const controllers: Following = ({ config }, run) =>
  config.fidelity === 'flit' || config.fuzz.maxJitter > 0
    ? undefined
    : new ControllersFollower(timesOf(config), run);
