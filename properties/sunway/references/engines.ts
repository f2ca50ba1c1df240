import type { DescriptorKind } from '../../../actors/sunway/descriptor.ts';
import type {
  DescriptorIssue,
  DrainRequest,
  EngineTurn,
  LdmData,
  LdmRead,
  LdmWrite,
  MemoryGrant,
  MemoryResponse,
  ReplyIncrement,
  RmaArrived,
  RmaData,
  RmaRead,
  RmaSender,
} from '../../../actors/sunway/messages.ts';
import type { TimingTable } from '../../../actors/sunway/timing/timing-table.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import { groupIn, isEngine, targetsOf } from '../context.ts';
import { type Follower, type Following, type Heard, Promises } from './follower.ts';
import { milli, shapeOfPut } from './formulas.ts';
import { timesOf } from './times.ts';

/*
 * The engines of the levels that go by formulas (Sunway specification 7.2, 8.4, 9.2, 9.3), worked out beside the run: whose turn it is, when each transfer
 * begins, and in which cycle each of its messages comes. Times are in thousandths of a cycle where they are called so.
 */

type Side = 'dma' | 'rma';

const isOrder = (kind: DescriptorKind): boolean => kind.endsWith('Barrier');
const sideOf = (kind: DescriptorKind): Side => (kind.startsWith('dma') ? 'dma' : 'rma');
const orders = (kind: DescriptorKind, side: Side): boolean =>
  kind === 'allBarrier' || kind === `${side}Barrier`;

/** A descriptor in a queue; `ready` is the cycle in which its CPE was through with issuing it. */
interface Waiting {
  readonly issue: DescriptorIssue;
  ready: number;
}

/** What an engine has of one of its CPEs. */
interface Place {
  readonly tid: number;
  readonly queue: Waiting[];
  readonly beyond: Waiting[];
  readonly begun: Record<Side, number>;
  drains: boolean;
}

/** A transfer that has begun. */
interface Flight {
  readonly issue: DescriptorIssue;
  /** In thousandths: its end on an idle machine, or when the engine has streamed it. */
  readonly due: number;
  arriving: number;
  counted: boolean;
}

interface Engine {
  readonly name: string;
  readonly group: number;
  readonly places: readonly Place[];
  readonly sides: Record<Side, { freeAt: number; turn: number; wanted: number }>;
  readonly flights: Map<number, Flight>;
  readonly answers: Map<number, { readonly request: RmaRead; readonly end: number }>;
  /** Who sends by RMA, where senders slow each other down: transfers under way, and when the last one ended. */
  readonly senders: Map<number, { active: number; endedAt: number }>;
  /** By tid: when its next RMA transfer may begin, in thousandths. */
  readonly heldUntil: Map<number, number>;
}

/** The cluster of a CPE, and the way between two of them (specification 1, 9.3). */
const clusterOf = (tid: number): number => 4 * Math.floor(tid / 16) + Math.floor((tid % 8) / 2);
const wayOf = ({ rma }: TimingTable, from: number, to: number): number =>
  milli(rma.hopX) * Math.abs((clusterOf(from) % 4) - (clusterOf(to) % 4)) +
  milli(rma.hopY) * Math.abs(Math.floor(clusterOf(from) / 4) - Math.floor(clusterOf(to) / 4));
const cycleOf = (thousandths: number): number => Math.ceil(thousandths / 1000);

class EnginesFollower implements Follower {
  readonly watches = [
    'descriptor.issue',
    'descriptor.taken',
    'queue.full',
    'drain.request',
    'drain.done',
    'engine.turn',
    'memory.response',
    'memory.grant',
    'memory.read',
    'memory.claim',
    'memory.write',
    'ldm.data',
    'ldm.read',
    'ldm.write',
    'reply.increment',
    'rma.data',
    'rma.read',
    'rma.arrived',
    'rma.sender',
  ];
  readonly #times: TimingTable;
  readonly #cpes: number;
  readonly #engines = new Map<string, Engine>();
  readonly #promises = new Promises();

  constructor(times: TimingTable, cpes: number) {
    this.#times = times;
    this.#cpes = cpes;
  }

  difference(): string | undefined {
    return this.#promises.difference;
  }

  hear(event: LockstepEvent, where: Heard): void {
    const { to, tick } = where;
    this.#keep(event, where);
    if (!isEngine(to)) return;
    const engine = this.#engineOf(to);
    switch (event.type) {
      case 'descriptor.issue':
        this.#accept(engine, event as DescriptorIssue, tick);
        return;
      case 'drain.request':
        this.#placeOf(engine, (event as DrainRequest).tid).drains = true;
        this.#tellDrained(engine, (event as DrainRequest).tid, tick);
        return;
      case 'engine.turn':
        this.#turn(engine, event as EngineTurn, tick);
        return;
      case 'memory.response':
        this.#respond(engine, event as MemoryResponse, tick);
        return;
      case 'memory.grant': {
        const { transfer, granted } = event as MemoryGrant;
        const { due } = engine.flights.get(transfer)!;
        const end = cycleOf(Math.max(due, granted + milli(this.#times.dma.putGrant)));
        this.#later(engine, transfer, 'readSource', end - 1, tick);
        return;
      }
      case 'ldm.data':
        this.#source(engine, event as LdmData, tick);
        return;
      case 'rma.data':
        this.#receive(engine, event as RmaData, tick);
        return;
      case 'rma.read': {
        const request = event as RmaRead;
        const side = engine.sides.rma;
        const end = Math.max(side.freeAt, request.ready) + this.#stream(request.len);
        side.freeAt = end;
        engine.answers.set(request.transfer, { request, end });
        this.#later(engine, request.transfer, 'readForeign', cycleOf(end) - 1, tick);
        return;
      }
      case 'rma.arrived': {
        const { transfer } = event as RmaArrived;
        engine.flights.get(transfer)!.arriving--;
        this.#endIfOver(engine, transfer, tick);
        return;
      }
      case 'rma.sender': {
        const { tid, begins } = event as RmaSender;
        this.#noteSender(engine, tid, begins, tick);
      }
    }
  }

  /** What engines say has been promised. */
  #keep(event: LockstepEvent, { from, to, tick }: Heard): void {
    const { type } = event;
    switch (type) {
      case 'ldm.read':
      case 'ldm.write': {
        const { core, tag } = event as LdmRead | LdmWrite;
        if (core < 0) this.#promises.keep(`${type} of transfer ${tag} at ${to}`, tick);
        return;
      }
      case 'reply.increment': {
        const { transfer, role } = event as ReplyIncrement;
        this.#promises.keep(`the ${role} count of transfer ${transfer} at ${to}`, tick);
        return;
      }
      case 'memory.read':
      case 'memory.claim':
      case 'memory.write':
        // The ring passes requests on.
        if (!from.startsWith('Node.'))
          this.#promises.keep(`${type} of transfer ${(event as MemoryResponse).transfer}`, tick);
        return;
      case 'descriptor.taken':
      case 'queue.full':
      case 'rma.arrived':
        this.#promises.keep(`${type} of transfer ${(event as RmaArrived).transfer}`, tick);
        return;
      case 'rma.read': {
        const { transfer, ready } = event as RmaRead;
        this.#promises.keep(`${type} of transfer ${transfer} for ${ready}`, tick);
        return;
      }
      case 'rma.data':
        this.#promises.keep(`${type} of transfer ${(event as RmaData).transfer} to ${to}`, tick);
        return;
      case 'drain.done':
        this.#promises.keep(`${type} of ${to}`, tick);
        return;
      case 'engine.turn': {
        const { step, transfer } = event as EngineTurn;
        if (step !== 'serve') this.#promises.keep(`${step} of transfer ${transfer}`, tick);
      }
    }
  }

  #engineOf(name: string): Engine {
    const known = this.#engines.get(name);
    if (known) return known;
    const cluster = Number(/\.Tbox\[(\d+)\]/.exec(name)![1]);
    const tids = Array.from({ length: this.#cpes }, (_, tid) => tid).filter(
      (tid) => clusterOf(tid) === cluster,
    );
    const side = () => ({ freeAt: 0, turn: 0, wanted: Number.POSITIVE_INFINITY });
    const made: Engine = {
      name,
      group: groupIn(name),
      places: tids.map((tid) => ({ tid, queue: [], beyond: [], begun: { dma: 0, rma: 0 }, drains: false })),
      sides: { dma: side(), rma: side() },
      flights: new Map(),
      answers: new Map(),
      senders: new Map(),
      heldUntil: new Map(),
    };
    this.#engines.set(name, made);
    return made;
  }

  #placeOf = ({ places }: Engine, tid: number): Place => places.find((one) => one.tid === tid)!;
  #ldm = ({ group }: Engine, tid: number): string => `Cg[${group}].Ldm[${tid}]`;
  #beside = ({ group }: Engine, tid: number): string => `Cg[${group}].Tbox[${clusterOf(tid)}]`;
  #stream = (bytes: number): number => Math.round((bytes * 1000) / this.#times.rma.bytesPerCycle);

  // Senders (9.3, the tax) ----------------------------------------------------------------------------------------------------------

  #tax({ senders }: Engine, tid: number, tick: number): number {
    const { sharedOpTax, issueCost, localTail } = this.#times.rma;
    if (sharedOpTax === 0) return 0;
    const others = [...senders].filter(
      ([other, { active, endedAt }]) =>
        other !== tid && (active > 0 || endedAt + 2 * (issueCost + localTail) >= tick),
    );
    return milli(sharedOpTax) * others.length;
  }

  #noteSender({ senders }: Engine, tid: number, begins: boolean, tick: number): void {
    const active = (senders.get(tid)?.active ?? 0) + (begins ? 1 : -1);
    senders.set(tid, { active, endedAt: tick });
  }

  // Queues --------------------------------------------------------------------------------------------------------------------------

  #accept(engine: Engine, issue: DescriptorIssue, tick: number): void {
    const { kind, tid, transfer } = issue;
    const place = this.#placeOf(engine, tid);
    const sends = !isOrder(kind) && sideOf(kind) === 'rma';
    const tax = sends ? Math.round(this.#tax(engine, tid, tick) / 1000) : 0;
    if (sends && this.#times.rma.sharedOpTax > 0) this.#noteSender(engine, tid, true, tick);
    const waiting = { issue, ready: tick + 1 + tax };
    if (place.queue.length < this.#times.dma.queueDepth) {
      place.queue.push(waiting);
      this.#promises.promise(`descriptor.taken of transfer ${transfer}`, waiting.ready);
    } else place.beyond.push({ ...waiting, ready: tick + 1 });
    this.#serve(engine, tick);
    if (place.beyond.some((one) => one.issue === issue))
      this.#promises.promise(`queue.full of transfer ${transfer}`, tick + 1);
  }

  /** Ends barrier operations that hold nothing back any more, and gives the places that are free. */
  #fill({ places }: Engine, tick: number): void {
    for (const place of places) {
      this.#passOrders(place, tick);
      while (place.beyond.length > 0 && place.queue.length < this.#times.dma.queueDepth) {
        const next = place.beyond.shift()!;
        place.queue.push({ ...next, ready: tick + 1 });
        this.#promises.promise(`descriptor.taken of transfer ${next.issue.transfer}`, tick + 1);
        this.#passOrders(place, tick);
      }
    }
  }

  #passOrders({ queue, begun }: Place, tick: number): void {
    for (;;) {
      const at = queue.findIndex(({ issue: { kind } }, k) => {
        if (!isOrder(kind)) return false;
        const earlier = queue.slice(0, k).filter((one) => !isOrder(one.issue.kind));
        return (['dma', 'rma'] as const).every(
          (side) =>
            !orders(kind, side) ||
            (begun[side] === 0 && earlier.every((one) => sideOf(one.issue.kind) !== side)),
        );
      });
      if (at < 0) return;
      const [order] = queue.splice(at, 1) as [Waiting];
      for (const later of queue.slice(at)) {
        const { kind } = later.issue;
        if (!isOrder(kind) && orders(order.issue.kind, sideOf(kind)))
          later.ready = Math.max(later.ready, tick);
      }
    }
  }

  /** The first transfer of a side that no barrier operation holds back. */
  #nextOf({ queue }: Place, side: Side): Waiting | undefined {
    for (const one of queue) {
      if (isOrder(one.issue.kind)) {
        if (orders(one.issue.kind, side)) return undefined;
      } else if (sideOf(one.issue.kind) === side) return one;
    }
    return undefined;
  }

  #serve(engine: Engine, tick: number): void {
    this.#fill(engine, tick);
    for (const side of ['dma', 'rma'] as const)
      while (this.#beginNext(engine, side, tick)) this.#fill(engine, tick);
  }

  /** Lets the next CPE in turn begin a transfer, if the side is free by the next cycle. */
  #beginNext(engine: Engine, name: Side, tick: number): boolean {
    const side = engine.sides[name];
    const { places } = engine;
    let first = Number.POSITIVE_INFINITY;
    for (let k = 0; k < places.length; k++) {
      const at = (side.turn + k) % places.length;
      const place = places[at]!;
      const next = this.#nextOf(place, name);
      if (next === undefined) continue;
      const held = name === 'rma' ? (engine.heldUntil.get(place.tid) ?? 0) : 0;
      const free = Math.max(side.freeAt, held);
      if (free > (tick + 1) * 1000) {
        first = Math.min(first, free);
        continue;
      }
      if (tick > side.wanted)
        this.#promises.fail(
          `${engine.name} takes up transfer ${next.issue.transfer} in cycle ${tick}, it could in ${side.wanted}`,
        );
      side.wanted = Number.POSITIVE_INFINITY;
      place.queue.splice(place.queue.indexOf(next), 1);
      side.turn = (at + 1) % places.length;
      place.begun[name]++;
      if (name === 'dma') this.#beginDma(engine, next, tick);
      else this.#beginRma(engine, next, tick);
      return true;
    }
    side.wanted = cycleOf(first);
    return false;
  }

  // Transfers -----------------------------------------------------------------------------------------------------------------------

  #beginDma(engine: Engine, { issue, ready }: Waiting, tick: number): void {
    const { dma, tbox } = this.#times;
    const { transfer, kind } = issue;
    const side = engine.sides.dma;
    const start = Math.max(side.freeAt, 1000 * ready);
    const { blocks, partialUnits } = shapeOfPut(issue);
    const isPut = kind === 'dmaPut';
    const rate = isPut ? tbox.putBytesPerCycle : tbox.getBytesPerCycle;
    side.freeAt = start + Math.round((128_000 * blocks) / rate);
    const alone = isPut
      ? milli(dma.putLatency) +
        milli(dma.putStep) * blocks +
        (partialUnits >= 2 ? milli(dma.putPartialPenalty) : 0)
      : milli(dma.getLatency) +
        milli(dma.getRamp) * Math.min(blocks - 1, 7) +
        milli(dma.getStep) * Math.max(0, blocks - 8);
    const due = start - milli(dma.issueCost) + alone;
    engine.flights.set(transfer, { issue, due, arriving: 0, counted: false });
    this.#promises.promise(`memory.${isPut ? 'claim' : 'read'} of transfer ${transfer}`, tick + 1);
  }

  #beginRma(engine: Engine, { issue, ready }: Waiting, tick: number): void {
    const { transfer, kind, tid, remoteTid, len } = issue;
    const side = engine.sides.rma;
    const start = Math.max(side.freeAt, 1000 * ready);
    if (kind === 'rmaGet') {
      const there = start + wayOf(this.#times, tid, remoteTid);
      engine.flights.set(transfer, { issue, due: start, arriving: 1, counted: true });
      const asked = there + milli(this.#times.rma.getTurnaround);
      this.#promises.promise(
        `rma.read of transfer ${transfer} for ${asked}`,
        Math.max(tick + 1, cycleOf(there)),
      );
      return;
    }
    const end = start + this.#stream(len);
    side.freeAt = end;
    if (this.#times.rma.sharedOpTax > 0) engine.heldUntil.set(tid, end + this.#tax(engine, tid, tick));
    engine.flights.set(transfer, { issue, due: end, arriving: 0, counted: false });
    this.#later(engine, transfer, 'readSource', cycleOf(end) - 1, tick);
  }

  /** A step of a transfer in a cycle; at once when that is now or past. */
  #later(engine: Engine, transfer: number, step: EngineTurn['step'], due: number, tick: number): void {
    if (due > tick) this.#promises.promise(`${step} of transfer ${transfer}`, due);
    else this.#step(engine, transfer, step, tick);
  }

  #turn(engine: Engine, { transfer, step }: EngineTurn, tick: number): void {
    if (step === 'serve') this.#serve(engine, tick);
    else this.#step(engine, transfer, step, tick);
  }

  #step(engine: Engine, transfer: number, step: EngineTurn['step'], tick: number): void {
    const flight = engine.flights.get(transfer);
    switch (step) {
      case 'readForeign': {
        const { tid } = engine.answers.get(transfer)!.request;
        this.#promises.promise(`ldm.read of transfer ${transfer} at ${this.#ldm(engine, tid)}`, tick);
        return;
      }
      case 'readSource':
        this.#promises.promise(
          `ldm.read of transfer ${transfer} at ${this.#ldm(engine, flight!.issue.tid)}`,
          tick,
        );
        return;
      case 'countLocal':
        this.#countLocal(engine, flight!, tick);
        this.#endIfOver(engine, transfer, tick);
        return;
      case 'deliver':
        this.#deliver(engine, flight!, tick);
    }
  }

  #count(engine: Engine, transfer: number, tid: number, word: number, role: string, tick: number): void {
    if (word !== 0)
      this.#promises.promise(`the ${role} count of transfer ${transfer} at ${this.#ldm(engine, tid)}`, tick);
  }

  #countLocal(engine: Engine, flight: Flight, tick: number): void {
    const { transfer, tid, localReply } = flight.issue;
    flight.counted = true;
    this.#count(engine, transfer, tid, localReply, 'local', tick);
  }

  #respond(engine: Engine, { transfer, data, through }: MemoryResponse, tick: number): void {
    const { due } = engine.flights.get(transfer)!;
    if (data === null) {
      this.#end(engine, transfer, tick);
      return;
    }
    const end = cycleOf(Math.max(due, through + milli(this.#times.dma.getReturn)));
    this.#later(engine, transfer, 'deliver', end, tick);
  }

  #deliver(engine: Engine, flight: Flight, tick: number): void {
    const { transfer, tid, localReply, kind } = flight.issue;
    if (kind === 'dmaBcast') {
      flight.counted = true;
      this.#send(engine, flight, Math.max(1, cycleOf(this.#farthest(flight.issue))), tick);
      return;
    }
    this.#promises.promise(`ldm.write of transfer ${transfer} at ${this.#ldm(engine, tid)}`, tick);
    this.#count(engine, transfer, tid, localReply, 'local', tick);
    this.#end(engine, transfer, tick);
  }

  #farthest(issue: DescriptorIssue): number {
    return Math.max(0, ...targetsOf(issue, this.#cpes).map((one) => wayOf(this.#times, issue.tid, one)));
  }

  #send(engine: Engine, flight: Flight, delay: number, tick: number): void {
    const { issue } = flight;
    const engines = new Set(targetsOf(issue, this.#cpes).map((tid) => this.#beside(engine, tid)));
    flight.arriving += engines.size;
    for (const one of engines)
      this.#promises.promise(`rma.data of transfer ${issue.transfer} to ${one}`, tick + delay);
  }

  /** Bytes of an LDM have come. */
  #source(engine: Engine, { tag }: LdmData, tick: number): void {
    const { arriveBase, localTail } = this.#times.rma;
    const answer = engine.answers.get(tag);
    if (answer) {
      const { request, end } = answer;
      const { tid, reply, issuer, transfer } = request;
      engine.answers.delete(tag);
      this.#count(engine, transfer, tid, reply, 'remote', tick);
      const there = cycleOf(end + milli(arriveBase) + wayOf(this.#times, tid, issuer));
      this.#promises.promise(
        `rma.data of transfer ${transfer} to ${this.#beside(engine, issuer)}`,
        Math.max(tick + 1, there),
      );
      return;
    }
    const flight = engine.flights.get(tag)!;
    const { kind, transfer } = flight.issue;
    if (kind === 'dmaPut') {
      this.#countLocal(engine, flight, tick);
      this.#promises.promise(`memory.write of transfer ${transfer}`, tick + 1);
      return;
    }
    const there = cycleOf(flight.due + milli(arriveBase) + this.#farthest(flight.issue));
    this.#send(engine, flight, Math.max(1, there - tick), tick);
    this.#later(engine, transfer, 'countLocal', cycleOf(flight.due + milli(localTail)), tick);
  }

  /** Bytes have come for CPEs of this cluster. */
  #receive(engine: Engine, { transfer, tids, reply, role }: RmaData, tick: number): void {
    for (const tid of tids) {
      this.#promises.promise(`ldm.write of transfer ${transfer} at ${this.#ldm(engine, tid)}`, tick);
      this.#count(engine, transfer, tid, reply, role, tick);
    }
    this.#promises.promise(`rma.arrived of transfer ${transfer}`, tick + 1);
  }

  // Ends ----------------------------------------------------------------------------------------------------------------------------

  #endIfOver(engine: Engine, transfer: number, tick: number): void {
    const { counted, arriving } = engine.flights.get(transfer)!;
    if (counted && arriving === 0) this.#end(engine, transfer, tick);
  }

  #end(engine: Engine, transfer: number, tick: number): void {
    const { kind, tid } = engine.flights.get(transfer)!.issue;
    engine.flights.delete(transfer);
    this.#placeOf(engine, tid).begun[sideOf(kind)]--;
    if (sideOf(kind) === 'rma' && this.#times.rma.sharedOpTax > 0) this.#noteSender(engine, tid, false, tick);
    this.#serve(engine, tick);
    this.#tellDrained(engine, tid, tick);
  }

  #tellDrained(engine: Engine, tid: number, tick: number): void {
    const place = this.#placeOf(engine, tid);
    const { begun, queue, beyond } = place;
    if (!place.drains || begun.dma + begun.rma + queue.length + beyond.length > 0) return;
    place.drains = false;
    this.#promises.promise(`drain.done of Cg[${engine.group}].Cpe[${tid}]`, tick + 1);
  }
}

/** The engines of a node whose schedule adds nothing to their times, and changes no order. */
export const engines: Following = ({ config }) =>
  config.fidelity === 'flit' || config.fuzz.maxJitter > 0 || config.fuzz.reorder
    ? undefined
    : new EnginesFollower(timesOf(config), config.cpesPerCg);
