import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Probe } from '../../../kernel/message.ts';
import { type Address, memberAddress } from '../address.ts';
import { foldByte } from '../fnv.ts';
import type { Instruction, InstructionResult } from '../instructions.ts';
import { addressRefusal, type IntakeSpec, refusalOf, valueRefusal } from '../intake.ts';
import type { CycleBaton, MachineStop } from '../messages.ts';
import { idleForever, type SpuProgram } from '../program.ts';
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
  exception: string;
  halted: boolean;
}

type BurstSpuEvent = CycleBaton | MachineStop;

const { act } = component<BurstSpuContext, BurstSpuEvent>();

/** Executes instructions until the cycle ends, and passes the baton on. */
function runCycle(spu: BurstSpuContext, { t, hash: before, requests: issued }: CycleBaton, out: Outbox): void {
  const { spec } = spu;
  let result: InstructionResult;
  let next = t + 1;
  let content = false;
  let hash = before;
  let requests = issued;
  for (let inCycle = 1; ; inCycle++) {
    let instruction: Instruction | undefined;
    if (spu.retry !== null) {
      instruction = spu.retry;
      spu.retry = null;
    } else {
      try {
        instruction = spu.program.next(t, result);
      } catch (error) {
        halt(spu, t, out, error instanceof Error ? error.message : String(error));
        break;
      }
    }
    if (instruction === undefined) {
      halt(spu, t, out, '');
      break;
    }
    if (instruction.op === 'endCycle') {
      next = t + Math.max(1, instruction.cycles ?? 1);
      content = instruction.content ?? false;
      break;
    }
    if (inCycle > spec.maxInstrPerCycle) {
      halt(spu, t, out, `more than ${spec.maxInstrPerCycle} instructions in one cycle (maxInstrPerCycle)`);
      break;
    }
    result = undefined;
    switch (instruction.op) {
      case 'read': {
        const mistake = addressRefusal(instruction.addr, spec.intake.memSize);
        if (mistake !== undefined) {
          halt(spu, t, out, mistake);
          break;
        }
        result = spu.stores.read(spec.spu, instruction.addr, t);
        if (instruction.logged) hash = foldByte(hash, result);
        if (out.observed) spu.stores.show(spec.spu, 'RD', instruction.addr, result, t, out);
        break;
      }
      case 'write': {
        const mistake = addressRefusal(instruction.addr, spec.intake.memSize) ?? valueRefusal(instruction.value);
        if (mistake !== undefined) {
          halt(spu, t, out, mistake);
          break;
        }
        spu.stores.write(spec.spu, instruction.addr, instruction.value, t);
        if (out.observed) spu.stores.show(spec.spu, 'WR', instruction.addr, instruction.value, t, out);
        break;
      }
      case 'status': {
        const answer = spu.table.status(instruction.id, t);
        result = answer;
        if (instruction.logged) hash = foldByte(hash, answer.status);
        if (out.observed) out.probe({ type: 'STATUS', t, spu: spec.spu, id: instruction.id, ...answer } as Probe);
        break;
      }
      default: {
        const mistake = refusalOf(spec.intake, spec.spu, instruction);
        if (mistake !== undefined) {
          halt(spu, t, out, mistake);
          break;
        }
        if (spec.maxOutstanding !== null && spu.table.outstanding(t) >= spec.maxOutstanding) {
          spu.retry = instruction;
          break;
        }
        result = issue(spu, instruction, t, out);
        requests++;
      }
    }
    if (spu.halted || spu.retry !== null) break;
    if (out.observed) out.probe({ type: 'OBS', t, spu: spec.spu, k: spu.executed, op: instruction.op, value: typeof result === 'object' ? result.status : (result ?? null) } as Probe);
    spu.executed++;
  }
  if (spu.halted) {
    next = idleForever;
    content = true;
  }
  spu.roster.next[spec.spu] = next;
  spu.roster.content[spec.spu] = content ? 1 : 0;
  passBaton(spu, t, hash, requests, out);
}

/** In the event log, an SPU that is passed over ends its cycle at once. */
function passBaton({ spec, roster }: BurstSpuContext, t: number, hash: number, requests: number, out: Outbox): void {
  const following = roster.following(spec.spu, t);
  if (out.observed) for (let spu = spec.spu; spu < following; spu++) out.probe({ type: 'DONE', t, who: 'spu', id: spu } as Probe);
  const to = following < spec.spus.length ? memberAddress(spec.spus, following) : spec.controller;
  out.send(to, undefined, { to, type: 'cycle.baton', t, hash, requests } as never);
}

function issue(spu: BurstSpuContext, { op, my, peer, addr, size }: Extract<Instruction, { op: 'get' | 'put' }>, t: number, out: Outbox): number {
  const { id, src, dst } = spu.table.accept(op, my, peer, addr, size, t);
  const initiator = spu.spec.spu;
  if (out.observed) out.probe({ type: 'REQ', t, spu: initiator, id, kind: op, my, peer, addr, size } as Probe);
  if (size > 0) out.post({ to: spu.spec.arbiter, type: 'ring.request', initiator, id, src, dst, size, issue: t } as never);
  return id;
}

function halt(spu: BurstSpuContext, t: number, out: Outbox, why: string): void {
  spu.halted = true;
  spu.exception = why;
  if (!out.observed) return;
  if (why !== '') out.probe({ type: 'EXC', t, spu: spu.spec.spu, k: spu.executed, why } as Probe);
  out.probe({ type: 'HALT', t, spu: spu.spec.spu } as Probe);
}

/** The processor of an SPU, one message a cycle (easier after reading `../spu.ts`; what it does is the same). */
export const burstSpu = setup({
  types: {} as { context: BurstSpuContext; events: BurstSpuEvent; input: BurstSpuInput },
  actions: { runCycle: act<'cycle.baton'>((spu, baton, out) => runCycle(spu, baton, out)) },
}).createMachine({
  id: 'burstSpu',
  context: ({ input: { program, stores, table, roster, ...spec } }) => ({ spec, program: program.fork(), stores, table, roster, retry: null, executed: 0, exception: '', halted: false }),
  initial: 'waiting',
  states: {
    // Whether the program is over is in the context: the controller does not call a halted SPU again.
    waiting: { on: { 'cycle.baton': { actions: 'runCycle' }, 'machine.stop': 'halted' } },
    halted: { on: { 'machine.stop': {} } },
  },
});
