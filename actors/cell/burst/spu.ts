import { setup } from 'xstate';
import type { Outbox } from '../../../kernel/kit.ts';
import type { MessageOf } from '../../../kernel/protocol/protocol.ts';
import { type Address, memberAddress } from '../address.ts';
import { foldByte } from '../fnv.ts';
import type { Instruction, InstructionResult } from '../instructions.ts';
import { addressRefusal, type IntakeSpec, refusalOf, valueRefusal } from '../intake.ts';
import { type DirectAccess, type IdleWork, idleForever, type SpuProgram } from '../program.ts';
import { burstProtocol } from '../protocol.ts';
import type { RequestTable } from '../request-table.ts';
import type { LocalStores } from './local-stores.ts';
import type { Roster } from './roster.ts';

/** Whom an SPU knows, its program and its limits. */
export interface BurstSpuInput {
  readonly spu: number;
  readonly intake: IntakeSpec;
  readonly maxOutstanding: number | null;
  readonly maxInstrPerCycle: number;
  readonly program: SpuProgram;
  readonly stores: LocalStores;
  readonly table: RequestTable;
  readonly roster: Roster;
  /** The SPUs by number: whom the baton goes to. */
  readonly spus: readonly Address[];
  readonly arbiter: Address;
  readonly controller: Address;
}

/** An SPU that executes the whole batch of a cycle in one message. */
export interface BurstSpuContext {
  readonly spec: Omit<BurstSpuInput, 'program' | 'stores' | 'table' | 'roster'>;
  readonly program: SpuProgram;
  /** Shared with all SPUs and DMA modules of the machine. */
  readonly stores: LocalStores;
  /** Shared with the own DMA module. */
  readonly table: RequestTable;
  /** Shared with all SPUs and the controller. */
  readonly roster: Roster;
  /** The request that was blocked and is tried again first. */
  retry: Instruction | null;
  executed: number;
  /** The last cycle before the SPU fell asleep, -1 while it is awake. */
  slept: number;
  exception: string;
  halted: boolean;
}

const role = burstProtocol.roles.Spu;
const { act } = role.component<BurstSpuContext>();

/** Executes instructions until the cycle ends, and passes the baton on. An exception in the program stops it (Cell specification 11). */
function runCycle(
  spu: BurstSpuContext,
  baton: MessageOf<typeof burstProtocol, 'cycle.baton'>,
  out: Outbox,
): void {
  const batch: Batch = {
    hash: baton.hash,
    requests: baton.requests,
    next: baton.t + 1,
    content: false,
    work: null,
  };
  countSleep(spu, baton.t);
  try {
    execute(spu, baton.t, batch, out);
  } catch (error) {
    halt(spu, baton.t, out, error instanceof Error ? error.message : String(error));
  }
  if (spu.halted) {
    batch.next = idleForever;
    batch.content = true;
    batch.work = null;
  }
  const number = spu.spec.spu;
  spu.slept = batch.work === null ? -1 : baton.t;
  spu.roster.sleep(number, batch.work, batch.next);
  spu.roster.content[number] = batch.content ? 1 : 0;
  passBaton(spu, baton.t, batch, out);
}

/** What the instructions of one cycle come to. */
interface Batch {
  /** Hash over the logged values so far. */
  hash: number;
  /** Requests given to the arbiter in this cycle so far. */
  requests: number;
  /** First cycle in which the program goes on. */
  next: number;
  content: boolean;
  /** What is done meanwhile for an SPU that only waits for its requests. */
  work: IdleWork | null;
}

/** Instructions that others executed while the SPU slept count as its own. */
function countSleep(spu: BurstSpuContext, t: number): void {
  if (spu.slept < 0) return;
  spu.executed += (t - spu.slept - 1) * spu.program.idleWork!().instructions;
  spu.slept = -1;
}

function execute(spu: BurstSpuContext, t: number, batch: Batch, out: Outbox): void {
  const { spec, program, stores, table } = spu;
  if (program.runCycle !== undefined && spec.maxOutstanding === null && !out.observed) {
    batch.content = program.runCycle(t, new Direct(spu, t, batch, out));
    if (program.idleWork === undefined) return;
    batch.work = program.idleWork();
    batch.next = Math.min(table.nextEnd(t), idleForever);
    return;
  }
  const number = spec.spu;
  const memSize = spec.intake.memSize;
  const observed = out.observed;
  let result: InstructionResult;
  for (let inCycle = 1; ; inCycle++) {
    let instruction: Instruction | undefined;
    if (spu.retry === null) instruction = program.next(t, result);
    else {
      instruction = spu.retry;
      spu.retry = null;
    }
    if (instruction === undefined) {
      halt(spu, t, out, '');
      return;
    }
    if (instruction.op === 'endCycle') {
      batch.next = t + Math.max(1, instruction.cycles ?? 1);
      batch.content = instruction.content ?? false;
      return;
    }
    if (inCycle > spec.maxInstrPerCycle) {
      halt(spu, t, out, `more than ${spec.maxInstrPerCycle} instructions in one cycle (maxInstrPerCycle)`);
      return;
    }
    switch (instruction.op) {
      case 'read': {
        const { addr } = instruction;
        const mistake = addressRefusal(addr, memSize);
        if (mistake !== undefined) {
          halt(spu, t, out, mistake);
          return;
        }
        const byte = stores.read(number, addr, t);
        if (instruction.logged) batch.hash = foldByte(batch.hash, byte);
        if (observed) stores.show(number, 'RD', addr, byte, t, out);
        result = byte;
        break;
      }
      case 'write': {
        const { addr, value } = instruction;
        const mistake = addressRefusal(addr, memSize) ?? valueRefusal(value);
        if (mistake !== undefined) {
          halt(spu, t, out, mistake);
          return;
        }
        stores.write(number, addr, value, t);
        if (observed) stores.show(number, 'WR', addr, value, t, out);
        result = undefined;
        break;
      }
      case 'status': {
        const answer = table.status(instruction.id, t);
        if (instruction.logged) batch.hash = foldByte(batch.hash, answer.status);
        if (observed) out.probe({ type: 'STATUS', t, spu: number, id: instruction.id, ...answer });
        result = answer;
        break;
      }
      default: {
        const mistake = refusalOf(spec.intake, number, instruction);
        if (mistake !== undefined) {
          halt(spu, t, out, mistake);
          return;
        }
        if (spec.maxOutstanding !== null && table.outstanding(t) >= spec.maxOutstanding) {
          spu.retry = instruction;
          return;
        }
        result = issue(spu, instruction, t, out);
        batch.requests++;
      }
    }
    if (observed)
      out.probe({
        type: 'OBS',
        t,
        spu: number,
        k: spu.executed,
        op: instruction.op,
        value: typeof result === 'object' ? result.status : (result ?? null),
      });
    spu.executed++;
  }
}

/** The instructions of one cycle, for a program that executes them itself. Nothing is shown: for runs nobody observes. */
class Direct implements DirectAccess {
  readonly #spu: BurstSpuContext;
  readonly #number: number;
  readonly #t: number;
  readonly #batch: Batch;
  readonly #out: Outbox;
  constructor(spu: BurstSpuContext, t: number, batch: Batch, out: Outbox) {
    this.#spu = spu;
    this.#number = spu.spec.spu;
    this.#t = t;
    this.#batch = batch;
    this.#out = out;
  }
  read(addr: number): number {
    this.#spu.executed++;
    return this.#spu.stores.read(this.#number, addr, this.#t);
  }
  write(addr: number, value: number): void {
    this.#spu.executed++;
    this.#spu.stores.write(this.#number, addr, value, this.#t);
  }
  status(id: number): number {
    this.#spu.executed++;
    return this.#spu.table.statusNumber(id, this.#t);
  }
  issue(op: 'get' | 'put', my: number, peer: number, addr: number, size: number): number {
    this.#spu.executed++;
    this.#batch.requests++;
    return issue(this.#spu, { op, my, peer, addr, size }, this.#t, this.#out);
  }
  log(value: number): void {
    this.#batch.hash = foldByte(this.#batch.hash, value);
  }
}

/** In the event log, an SPU that is passed over ends its cycle at once. */
function passBaton({ spec, roster, stores }: BurstSpuContext, t: number, batch: Batch, out: Outbox): void {
  const following = roster.following(spec.spu, t);
  if (out.observed)
    for (let spu = spec.spu; spu < following; spu++) out.probe({ type: 'DONE', t, who: 'spu', id: spu });
  const { requests } = batch;
  const hash = roster.work(spec.spu + 1, following, t, batch.hash, stores);
  const to = following < spec.spus.length ? memberAddress(spec.spus, following) : spec.controller;
  out.send(to, undefined, { to, type: 'cycle.baton', t, hash, requests });
}

function issue(
  spu: BurstSpuContext,
  { op, my, peer, addr, size }: Extract<Instruction, { op: 'get' | 'put' }>,
  t: number,
  out: Outbox,
): number {
  const { id, src, dst } = spu.table.accept(op, my, peer, addr, size, t);
  const initiator = spu.spec.spu;
  if (out.observed) out.probe({ type: 'REQ', t, spu: initiator, id, kind: op, my, peer, addr, size });
  if (size > 0)
    out.post({ to: spu.spec.arbiter, type: 'ring.request', initiator, id, src, dst, size, issue: t });
  return id;
}

function halt(spu: BurstSpuContext, t: number, out: Outbox, why: string): void {
  spu.halted = true;
  spu.exception = why;
  if (!out.observed) return;
  if (why !== '') out.probe({ type: 'EXC', t, spu: spu.spec.spu, k: spu.executed, why });
  out.probe({ type: 'HALT', t, spu: spu.spec.spu });
}

/** The processor of an SPU, one message a cycle (easier after reading `../spu.ts`; what it does is the same). */
export const burstSpu = setup({
  types: role.types<BurstSpuContext, BurstSpuInput>(),
  actions: { runCycle: act<'cycle.baton'>((spu, baton, out) => runCycle(spu, baton, out)) },
}).createMachine({
  id: 'burstSpu',
  context: ({ input: { program, stores, table, roster, ...spec } }) => ({
    spec,
    program: program.fork(),
    stores,
    table,
    roster,
    retry: null,
    executed: 0,
    slept: -1,
    exception: '',
    halted: false,
  }),
  initial: 'waiting',
  states: {
    // Whether the program is over is in the context: the controller does not call a halted SPU again.
    waiting: { on: { 'cycle.baton': { actions: 'runCycle' }, 'machine.stop': 'halted' } },
    halted: { on: { 'machine.stop': {} } },
  },
});
