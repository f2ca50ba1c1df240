import type { Address } from '../../../kernel/message.ts';
import { alike } from './alike.ts';
import {
  type PlainHeader,
  PlainLayout,
  type Ring,
  ringNames,
  wireOf,
  wordOf,
  words,
} from './gasnet-layout.ts';
import {
  isBytes,
  type PlainPart,
  type PlainSetting,
  placeIn,
  type Send,
  type Taken,
  u,
} from './plain-part.ts';
import { type Moving, one, type PlainJob, type Rows, rowAt, rowsIn } from './transfer-pieces.ts';

/** What waits for completion under a handle, or among the implicit operations: packets by ring, own notifications by channel, gets. */
interface Group {
  readonly packets: { readonly peer: number; readonly ring: Ring; readonly sequence: number }[];
  readonly left: { readonly channel: number; readonly count: number }[];
  gets: number;
  data: Uint8Array;
}
/** What a call sends, and who waits for it. */
interface Sending {
  readonly job: PlainJob;
  readonly group: Group | undefined;
  readonly waitsLeft: boolean;
}
/** What a call does in the memory of its own node. */
type Doing =
  | { readonly does: 'copy'; readonly src: number; readonly dst: number; readonly bytes: number }
  | { readonly does: 'fill'; readonly dst: number; readonly bytes: number; readonly value: number }
  | { readonly does: 'store'; readonly dst: number; readonly data: Uint8Array }
  | { readonly does: 'load'; readonly src: number; readonly bytes: number };
interface Letter {
  readonly kind: string;
  readonly handler: number;
  readonly args: readonly number[];
  readonly source: number;
  readonly reply: boolean;
  readonly payload: Uint8Array;
  readonly address: number;
  readonly bytes: number;
}
interface Packet {
  readonly peer: number;
  readonly ring: Ring;
  readonly header: PlainHeader;
  readonly payload: Uint8Array;
  readonly slot: number;
}
/** What nodes say of a barrier: a name, or none, or that names differ. */
interface Word {
  readonly id: number;
  readonly flags: number;
}
/** What calls carry. */
type Said =
  | 'action'
  | 'all'
  | 'args'
  | 'bulk'
  | 'bytes'
  | 'code'
  | 'count'
  | 'cpuBytes'
  | 'data'
  | 'dst'
  | 'flags'
  | 'form'
  | 'gpuBytes'
  | 'handler'
  | 'handlers'
  | 'handles'
  | 'id'
  | 'kind'
  | 'lock'
  | 'of'
  | 'shape'
  | 'source'
  | 'src'
  | 'target'
  | 'value'
  | 'wait';
// biome-ignore lint/suspicious/noExplicitAny: what is in a call depends on its name
type Call = { readonly call: string } & { readonly [Name in Said]: any };
type Come = readonly [event: Taken, now: number];
type Steps<Result = void> = Generator<undefined, Result, Come>;

const nothing = new Uint8Array(0);
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const nodeAt = (address: number): number => placeIn(address).node;
const newGroup = (): Group => ({ packets: [], left: [], gets: 0, data: nothing });

/** What two nodes know together of a barrier (TCA specification 12.6). */
function together(one: Word, other: Word): Word {
  const differs = [one, other].find(({ flags }) => (flags & 2) !== 0);
  if (differs) return differs;
  const named = [one, other].filter(({ flags }) => (flags & 1) === 0);
  if (named.length < 2) return named[0] ?? other;
  return one.id === other.id ? one : { id: 0, flags: 2 };
}

/** Thrown where the job ends: by a fatal error, or because the program says so. */
class EndOfJob extends Error {}

/** The runtime of a node by TCA specification 12: it serves one call after the other, step by step, and looks at what has come between its steps. */
export class PlainRuntime implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #layout: PlainLayout;
  readonly #node: number;
  readonly #steps: Steps;
  #isOver = false;
  #isLeaving = false;
  #send: Send = () => {};
  #exitCode = 0;
  readonly #segments: ({ readonly cpu: number; readonly gpu: number } | undefined)[];
  #isAttached = false;
  #handlers: readonly number[] = [];
  /** Rings with a packet, in the order in which they told. */
  readonly #ready: { readonly peer: number; readonly ring: Ring }[] = [];
  readonly #parked: Letter[] = [];
  readonly #freed: number[][];
  readonly #selfSeen = [0, 0, 0, 0];
  /** Rings that were full, the latest last. */
  readonly #blocked: { readonly peer: number; readonly ring: Ring; readonly sequence: number }[] = [];
  readonly #firsts: Record<string, Packet> = {};
  readonly #groups = new Map<number, Group>([[0, newGroup()]]);
  readonly #gets = new Map<number, Group>();
  #nextHandle = 1;
  #nextToken = 1;
  #region = 0;
  #arrivals = 0;
  readonly #putsFrom: number[];
  #phase = 0;
  #round = 0;
  #notified: Word | undefined;
  #known: Word = { id: 0, flags: 0 };
  readonly #heard: Record<string, Word> = {};
  readonly #locks: number[] = [];
  readonly #held: number[] = [];
  #holdsOff = false;
  // Of the call at hand.
  #jobs: Sending[] = [];
  #doings: Doing[] = [];
  #own: Letter | undefined;
  #ownGroup: Group | undefined;
  #isReached: () => boolean = () => true;
  #status = 'OK';
  #value = 0;
  #data: Uint8Array = nothing;
  #settle: () => void = () => {};
  #budget = 0;

  constructor(setting: PlainSetting, node: number) {
    this.#setting = setting;
    this.#layout = new PlainLayout(setting.config);
    this.#node = node;
    const { nodes } = setting.config;
    this.#segments = Array.from({ length: nodes }, () => undefined);
    this.#freed = Array.from({ length: nodes }, () => [0, 0]);
    this.#putsFrom = Array.from({ length: nodes }, () => 0);
    this.#steps = this.#life();
    this.#steps.next();
  }

  take(event: Taken, now: number, _from: Address, send: Send): void {
    this.#send = send;
    if (this.#isOver) return;
    switch (event.type) {
      case 'packet.ready':
        this.#ready.push({ peer: event.peer, ring: event.ring });
        break;
      case 'tx.freed': {
        const freed = this.#freed[event.peer]!;
        freed[event.ring] = Math.max(freed[event.ring]!, event.freed);
        break;
      }
      case 'self.notified':
        this.#selfSeen[event.channel] = Math.max(this.#selfSeen[event.channel]!, event.count);
        break;
      case 'job.exit':
        this.#exitCode = event.code;
        this.#stop();
        return;
      case 'pio.done':
        this.#stop();
        return;
    }
    if (this.#isLeaving) return;
    try {
      this.#steps.next([event, now]);
    } catch (error) {
      if (!(error instanceof EndOfJob)) throw error;
      this.#leave();
    }
  }

  /** The other nodes are told; with the last word the node itself is over. */
  #leave(): void {
    const stores = [];
    for (let target = 0; target < this.#setting.config.nodes; target++)
      if (target !== this.#node)
        stores.push({
          address: this.#layout.word(target, this.#node, words.exit),
          data: wordOf(this.#exitCode + 1),
        });
    this.#send(this.#part('Pio'), 0, 'pio.store', { stores: alike(stores) });
    this.#isLeaving = true;
  }

  #stop(): void {
    this.#isOver = true;
    this.#send(this.#part('Cpu'), 0, 'cpu.exit', { code: this.#exitCode });
  }

  *#life(): Steps {
    let [event] = yield;
    // Before the runtime is there only one call is one.
    for (let begun = false; !this.#isAttached; [event] = yield) {
      if (event.type !== 'gasnet.call') continue;
      const call: Call = event.call;
      if (call.call === 'exit') this.#exit(call.code);
      if (!begun) {
        begun = call.call === 'init';
        this.#return(begun ? 'OK' : 'NOT_INIT');
      } else if (call.call === 'attach') {
        yield* this.#serve(call);
        if (this.#isAttached) break;
      } else this.#return('NOT_INIT');
    }
    for (;;) {
      [event] = yield;
      if (event.type !== 'gasnet.call') continue;
      const call: Call = event.call;
      if (call.call === 'exit') this.#exit(call.code);
      if (call.call === 'hsl') {
        this.#lock(call);
        this.#return('OK');
      } else yield* this.#serve(call);
    }
  }

  #exit(code: number): never {
    this.#exitCode = code;
    throw new EndOfJob();
  }

  #fail(): never {
    return this.#exit(255);
  }

  #return(status: string, value = 0, data: Uint8Array = nothing, delay = 0): void {
    const answer = { answer: 'done', status, value, data };
    this.#send(this.#part('Cpu'), delay, 'gasnet.return', { answer: alike(answer) });
  }

  /** Waits for a message of a type; what else comes is noted by itself. */
  *#awaited(...types: readonly string[]): Steps<Taken> {
    for (;;) {
      const [event] = yield;
      if (types.includes(event.type)) return event;
    }
  }

  *#serve(call: Call): Steps {
    if (this.#isHolding) this.#fail();
    const { parameters } = this.#setting.config;
    this.#jobs = [];
    this.#doings = [];
    this.#own = undefined;
    this.#isReached = () => true;
    this.#settle = () => {};
    this.#status = 'OK';
    this.#value = 0;
    this.#data = nothing;
    const arrivalsBefore = this.#arrivals;
    // A call looks at what is there, not at what comes meanwhile.
    this.#budget = this.#isAttached ? this.#ready.length + this.#parked.length : 0;
    let hasBegun = false;
    for (;;) {
      const isFree = this.#blocked.length === 0;
      if (this.#budget > 0 && (this.#parked.length > 0 || this.#hasReady)) yield* this.#look();
      else if (this.#mayResume) {
        this.#blocked.pop();
        this.#send(this.#part('Planner'), 0, 'transfer.resume');
        yield* this.#sent();
      } else if (isFree && this.#jobs.length > 0) {
        this.#begin(this.#jobs[0]!.job);
        yield* this.#sent();
      } else if (this.#doings.length > 0) yield* this.#do();
      else if (isFree && this.#notified && this.#heardNow) this.#advance();
      else if (!hasBegun) {
        hasBegun = true;
        this.#status = this.#called(call, arrivalsBefore);
        if (this.#own && this.#doings.length === 0) this.#park();
      } else if (isFree && this.#isReached()) break;
      else yield* this.#look();
    }
    this.#settle();
    if (call.call === 'attach' && this.#status === 'OK') this.#isAttached = true;
    // A look that found nothing takes time, or a program could stand still in it.
    const delay = call.call === 'poll' || this.#status === 'NOT_READY' ? u * parameters.pollDetect : 0;
    this.#return(this.#status, this.#value, this.#data, delay);
  }

  /** The packet that was taken with a message of the job at hand, or the ring that was full. */
  *#sent(): Steps {
    const event = yield* this.#awaited('transfer.started', 'transfer.blocked');
    if (event.type === 'transfer.blocked') {
      const { peer, ring, sequence } = event;
      this.#blocked.push({ peer, ring, sequence });
      return;
    }
    const { job, group, waitsLeft } = this.#jobs.shift()!;
    const left: Group['left'] = event.left;
    if (waitsLeft) this.#isReached = () => this.#haveLeft(left);
    if (!group) return;
    // With the policy `local` a put is done when it has left; a fill is always answered.
    if (this.#layout.options.completion === 'acked' || job.header.kind === 'memset')
      group.packets.push({ peer: job.target, ring: job.ring, sequence: event.sequence });
    else group.left.push(...left);
  }

  #haveLeft(left: Group['left']): boolean {
    return left.every(({ channel, count }) => this.#selfSeen[channel]! >= count);
  }

  #isDone(group: Group | undefined): boolean {
    if (!group) return true;
    return group.gets === 0 && this.#haveLeft(group.left) && this.#areTaken(group);
  }

  #areTaken({ packets }: Group): boolean {
    return packets.every(({ peer, ring, sequence }) => this.#freed[peer]![ring]! > sequence);
  }

  get #mayResume(): boolean {
    const top = this.#blocked.at(-1);
    return top !== undefined && top.sequence - this.#freed[top.peer]![top.ring]! < this.#layout.options.slots;
  }

  /** Before all nodes are attached replies alone are looked at. */
  get #hasReady(): boolean {
    return this.#isAttached ? this.#ready.length > 0 : this.#ready.some(({ ring }) => ring === 1);
  }

  /** Runs a handler that waits, takes a packet, or waits for something to come, which is noticed a while later. */
  *#look(): Steps {
    if (this.#isAttached && this.#parked.length > 0) {
      this.#budget--;
      yield* this.#run(this.#parked.shift()!);
      return;
    }
    if (!this.#hasReady) {
      yield* this.#awaited('packet.ready', 'tx.freed', 'self.notified');
      yield* this.#turn(u * this.#setting.config.parameters.pollDetect);
      return;
    }
    this.#budget--;
    const at = this.#isAttached ? 0 : this.#ready.findIndex(({ ring }) => ring === 1);
    const packet = yield* this.#taken(at);
    const { header } = packet;
    if (header.total > 1 && (header.kind === 'put' || header.kind === 'gotten')) {
      yield* this.#turn(u * this.#setting.config.parameters.pollGapPerChannel * (header.total - 1));
      this.#note(packet);
    } else if (isHandled(header)) yield* this.#run(this.#letter(packet));
    else if (header.kind === 'get') yield* this.#answer(packet);
    else yield* this.#keep(packet);
    yield* this.#free(packet);
  }

  /** What a packet brings is put in place, and what it tells is noted. */
  *#keep(packet: Packet): Steps {
    const { kind, bytes, address, offset, total, args } = packet.header;
    if (kind === 'memset') {
      this.#copy({ does: 'fill', dst: address, bytes: total, value: args[0]! });
      yield* this.#awaited('copy.done');
    } else if (bytes > 0 && (kind === 'fragment' || kind === 'gotten')) {
      this.#copy({ does: 'copy', src: packet.slot + offset, dst: address, bytes });
      yield* this.#awaited('copy.done');
    }
    this.#note(packet);
  }

  *#taken(at: number): Steps<Packet> {
    const [{ peer, ring }] = this.#ready.splice(at, 1) as [{ peer: number; ring: Ring }];
    this.#send(this.#part(`PacketRx[${peer}].${ringNames[ring]}`), 0, 'packet.take');
    const { header, payload, slot } = yield* this.#awaited('packet.content');
    return { peer, ring, header, payload, slot };
  }

  *#free({ peer, ring }: Packet): Steps {
    this.#send(this.#part(`PacketRx[${peer}].${ringNames[ring]}`), 0, 'packet.done');
    yield* this.#awaited('packet.freed');
  }

  #note(packet: Packet): void {
    const { peer, ring, header, payload } = packet;
    const { kind, last, token, args } = header;
    if ((kind === 'put' || kind === 'fragment') && last) {
      this.#arrivals++;
      this.#putsFrom[peer]!++;
    }
    if ((kind === 'gotten' || kind === 'value') && last) {
      const group = this.#gets.get(token);
      this.#gets.delete(token);
      if (group) {
        group.gets--;
        if (payload.length > 0) group.data = payload;
      }
    }
    if (kind === 'barrier') this.#heard[`${args[0]} ${args[1]}`] = { id: args[2]!, flags: args[3]! };
    if (kind === 'attach') this.#segments[peer] = { cpu: args[0]!, gpu: args[1]! };
    if (kind === 'medium' && !last) this.#firsts[`${peer} ${ring}`] = packet;
  }

  /** The message that a packet brings, or ends. */
  #letter({ peer, ring, header, payload }: Packet): Letter {
    const first = this.#firsts[`${peer} ${ring}`];
    delete this.#firsts[`${peer} ${ring}`];
    const { kind, handler, args, source, reply, address, total } = first ? first.header : header;
    const all = first ? Uint8Array.of(...first.payload, ...payload) : payload;
    return { kind, handler, args, source, reply, payload: all, address, bytes: total };
  }

  #judge({ handler }: Letter): void {
    // The library has handlers of its own below those of programs.
    if (handler >= 128 && !this.#handlers.includes(handler)) this.#fail();
  }

  /** Runs the handler of a message, which may answer once. */
  *#run(letter: Letter): Steps {
    this.#judge(letter);
    yield* this.#turn(u * this.#setting.config.parameters.amDispatch);
    this.#send(this.#part('Cpu'), 0, 'gasnet.return', {
      answer: alike({ answer: 'handler', delivery: letter }),
    });
    let hasReplied = false;
    for (;;) {
      const { call } = yield* this.#awaited('gasnet.call');
      switch (call.call) {
        case 'handled':
          if (this.#isHolding) this.#fail();
          this.#arrivals++;
          return;
        case 'hsl':
          this.#lock(call);
          this.#return('OK');
          break;
        case 'exit':
          this.#exit(call.code);
          break;
        case 'reply': {
          if (this.#isHolding || letter.reply || hasReplied) this.#fail();
          const status = this.#wrongWith(letter.source, call) ?? 'OK';
          if (status === 'OK') {
            hasReplied = true;
            if (letter.source === this.#node) yield* this.#ownReply(call);
            else yield* this.#reply(letter.source, call);
          }
          this.#return(status);
          break;
        }
        default:
          this.#fail();
      }
    }
  }

  *#ownReply(call: Call): Steps {
    const [doings, own] = [this.#doings, this.#own];
    this.#doings = doingsOf(call);
    this.#own = this.#ownLetter(call, true);
    if (this.#doings.length === 0) this.#park();
    else yield* this.#do();
    [this.#doings, this.#own] = [doings, own];
  }

  *#reply(target: number, call: Call): Steps {
    this.#begin(this.#jobOf(target, call, true));
    const { left } = yield* this.#squeezed();
    while (!this.#haveLeft(left)) yield* this.#awaited('self.notified');
  }

  /** Data, or a value, for who asked. */
  *#answer({ peer, header }: Packet): Steps {
    const [low, high, size, count, srcStride, dstStride, isValue, planes, srcPitch, dstPitch] =
      header.args as number[];
    const src = low! + 2 ** 32 * high!;
    const common = { target: peer, ring: 1 as const, tellsLeft: false, urgent: false };
    if (isValue === 1) {
      this.#copy({ does: 'load', src, bytes: size! });
      const { data } = yield* this.#awaited('memory.loaded');
      const job = {
        ...common,
        data: null,
        payload: data as Uint8Array,
        header: headerFor('value', { token: header.token, total: data.length, reply: true }),
      };
      this.#begin(job);
    } else {
      const shape: Rows = {
        size: size!,
        count: count!,
        srcStride: srcStride!,
        dstStride: dstStride!,
        ...(planes !== undefined && {
          planes: { count: planes, srcStride: srcPitch!, dstStride: dstPitch! },
        }),
      };
      const data = this.#moving(src, header.address, shape);
      this.#begin({
        ...common,
        data,
        payload: nothing,
        header: headerFor('gotten', { token: header.token, reply: true }),
      });
    }
    yield* this.#squeezed();
  }

  /** An answer that finds its ring full: replies alone are taken meanwhile, and those for handlers set aside. */
  *#squeezed(): Steps<Taken> {
    for (;;) {
      const event = yield* this.#awaited('transfer.started', 'transfer.blocked');
      if (event.type === 'transfer.started') return event;
      const { peer, ring, sequence } = event;
      this.#blocked.push({ peer, ring, sequence });
      while (!this.#mayResume) {
        const at = this.#ready.findIndex((one) => one.ring === 1);
        if (at < 0) {
          yield* this.#awaited('packet.ready', 'tx.freed', 'self.notified');
          continue;
        }
        const packet = yield* this.#taken(at);
        if (isHandled(packet.header)) {
          const letter = this.#letter(packet);
          this.#judge(letter);
          this.#parked.push(letter);
        } else yield* this.#keep(packet);
        yield* this.#free(packet);
      }
      this.#blocked.pop();
      this.#send(this.#part('Planner'), 0, 'transfer.resume');
    }
  }

  #begin(job: PlainJob): void {
    this.#send(this.#part('Planner'), 0, 'transfer.begin', { job: alike(job) });
  }

  *#turn(delay: number): Steps {
    this.#send(this.#part('Gasnet'), delay, 'runtime.turn');
    yield* this.#awaited('runtime.turn');
  }

  /** Carries out what the call does here, one after the other. */
  *#do(): Steps {
    const [first] = this.#doings as [Doing];
    this.#copy(first);
    const event = yield* this.#awaited('copy.done', 'memory.stored', 'memory.loaded');
    this.#doings.shift();
    if (first.does === 'load') {
      if (this.#own) this.#own = { ...this.#own, payload: event.data };
      else if (this.#ownGroup) this.#ownGroup.data = event.data;
    }
    if (this.#own && this.#doings.length === 0) this.#park();
  }

  #park(): void {
    this.#parked.push(this.#own!);
    this.#own = undefined;
  }

  #copy(doing: Doing): void {
    const memory = (address: number): Address =>
      this.#part(placeIn(address).memory === 'gpu' ? 'GpuMemory' : 'CpuMemory');
    switch (doing.does) {
      case 'copy': {
        const { src, dst, bytes } = doing;
        this.#send(this.#part('Copier'), 0, 'copy.job', { src, dst, bytes, value: undefined });
        return;
      }
      case 'fill': {
        const { dst, bytes, value } = doing;
        this.#send(this.#part('Copier'), 0, 'copy.job', { dst, bytes, value });
        return;
      }
      case 'store':
        this.#send(memory(doing.dst), 0, 'memory.store', { addr: doing.dst, data: isBytes(doing.data) });
        return;
      case 'load':
        this.#send(memory(doing.src), 0, 'memory.load', { addr: doing.src, bytes: doing.bytes });
    }
  }

  /** Begins a call: what it sends, what it does here, and what it waits for. Gives its status. */
  #called(call: Call, arrivalsBefore: number): string {
    switch (call.call) {
      case 'put':
      case 'get':
        return this.#move(call);
      case 'putValue':
        return this.#putValue(call);
      case 'getValue':
        return this.#getValue(call);
      case 'memset':
        return this.#memset(call);
      case 'copy':
        return this.#copyHere(call);
      case 'request':
        return this.#request(call);
      case 'attach':
        return this.#attach(call);
      case 'await':
        this.#isReached = () => this.#arrivals > arrivalsBefore;
        return 'OK';
      case 'awaitPuts':
        if (!this.#isRank(call.source) || !isNumber(call.count)) return 'BAD_ARG';
        this.#isReached = () => this.#putsFrom[call.source]! >= call.count;
        return 'OK';
      case 'sync':
        return this.#sync(call);
      case 'syncImplicit': {
        if (this.#region !== 0) return 'BAD_ARG';
        const group = this.#groups.get(0)!;
        const areDone = (): boolean =>
          (call.of === 'puts' || group.gets === 0) &&
          (call.of === 'gets' || (this.#haveLeft(group.left) && this.#areTaken(group)));
        if (!call.wait && !areDone()) return 'NOT_READY';
        this.#isReached = areDone;
        return 'OK';
      }
      case 'beginRegion':
        if (this.#region !== 0) return 'BAD_ARG';
        this.#region = this.#nextHandle++;
        this.#groups.set(this.#region, newGroup());
        return 'OK';
      case 'endRegion':
        if (this.#region === 0) return 'BAD_ARG';
        this.#value = this.#region;
        this.#region = 0;
        return 'OK';
      case 'barrierNotify':
        if (this.#notified) this.#fail();
        this.#notified = { id: call.id >>> 0, flags: call.flags };
        this.#known = this.#notified;
        this.#round = 0;
        this.#tellRound();
        return 'OK';
      case 'barrierFinish':
        return this.#finishBarrier(call);
      case 'init':
        return 'RESOURCE';
      case 'reply':
      case 'handled':
        return this.#fail();
      default:
        return 'OK';
    }
  }

  #isRank(rank: unknown): boolean {
    return isNumber(rank) && (rank as number) < this.#setting.config.nodes;
  }

  /** The group of an operation: its own, or that of the region, or of the implicit ones. */
  #groupFor(form: string): Group {
    if (form === 'nbi') return this.#groups.get(this.#region)!;
    const handle = this.#nextHandle++;
    const group = newGroup();
    this.#groups.set(handle, group);
    if (form === 'nb') this.#value = handle;
    else this.#awaitGroups([handle], true);
    this.#ownGroup = group;
    return group;
  }

  #awaitGroups(handles: readonly number[], all: boolean): void {
    this.#isReached = () => this.#areDone(handles, all);
    this.#settle = () => {
      const done = handles.map((handle) => handle === 0 || this.#isDone(this.#groups.get(handle)));
      this.#data = Uint8Array.from(done, (isDone) => (isDone ? 1 : 0));
      for (const [k, handle] of handles.entries()) {
        if (handle === 0 || !done[k]) continue;
        if (handles.length === 1) this.#data = this.#groups.get(handle)!.data;
        this.#groups.delete(handle);
      }
    };
  }

  #areDone(handles: readonly number[], all: boolean): boolean {
    const isDone = (handle: number): boolean => handle === 0 || this.#isDone(this.#groups.get(handle));
    if (all) return handles.every(isDone);
    return handles.length === 0 || handles.some(isDone);
  }

  #sync({ handles, all, wait }: Call): string {
    const isDead = (handle: number): boolean =>
      handle !== 0 && (!this.#groups.has(handle) || handle === this.#region);
    if (handles.some(isDead)) this.#fail();
    if (!wait && !this.#areDone(handles, all)) return 'NOT_READY';
    this.#awaitGroups(handles, all);
    return 'OK';
  }

  /** Bytes of this node's memory behind what the runtime keeps. */
  #isMine(address: number, bytes: number): boolean {
    if (!isNumber(address)) return false;
    const { node, memory, offset } = placeIn(address);
    const { cpuBytes, gpuBytes } = this.#setting.config;
    if (node !== this.#node || memory === 'chip') return false;
    if (memory === 'gpu') return offset + bytes <= gpuBytes;
    return offset >= this.#layout.prepared[0] && offset + bytes <= cpuBytes;
  }

  /** What channels may read and write: segments, and where the library of this node prepares messages. */
  #isOfSegment(address: number, bytes: number): boolean {
    const { node, memory, offset } = placeIn(address);
    const [prepared, first] = this.#layout.prepared;
    if (memory === 'cpu' && node === this.#node && offset >= prepared && offset + bytes <= first) return true;
    const segment = this.#segments[node];
    if (!segment || memory === 'chip') return false;
    const begin = memory === 'cpu' ? first : 0;
    return offset >= begin && offset + bytes <= begin + segment[memory];
  }

  #moving(src: number, dst: number, shape: Rows): Moving {
    const [from, to] = spansOf(shape);
    return {
      src,
      dst,
      shape,
      srcDmaAble: this.#isOfSegment(src, from),
      dstDmaAble: this.#isOfSegment(dst, to),
    };
  }

  #move(call: Call): string {
    const { form, src, dst, shape } = call;
    const isPut = call.call === 'put';
    const [far, near] = isPut ? [dst, src] : [src, dst];
    const numbers = [shape.size, shape.count, shape.srcStride, shape.dstStride];
    if (shape.planes) numbers.push(...Object.values(shape.planes as object));
    if (!numbers.every(isNumber) || !isNumber(far) || !this.#isRank(nodeAt(far))) return 'BAD_ARG';
    const [from, to] = spansOf(shape);
    if (shape.size * rowsIn(shape) === 0) return 'OK';
    const [farSpan, nearSpan] = isPut ? [to, from] : [from, to];
    if (!this.#isMine(near, nearSpan)) return 'BAD_ARG';
    if (!this.#isOfSegment(far, farSpan)) this.#fail();
    const group = this.#groupFor(form);
    const target = nodeAt(far);
    if (target === this.#node) {
      this.#doings = Array.from({ length: rowsIn(shape) }, (_, k) => {
        const [at, there] = rowAt(shape, k);
        return { does: 'copy' as const, src: src + at, dst: dst + there, bytes: shape.size };
      });
    } else if (isPut) {
      const isLocal = this.#layout.options.completion === 'local';
      const waitsLeft = form !== 'blocking' && !call.bulk;
      const job: PlainJob = {
        target,
        ring: 0,
        data: this.#moving(src, dst, shape),
        payload: nothing,
        header: headerFor('put'),
        tellsLeft: isLocal || waitsLeft,
        urgent: !isLocal,
      };
      this.#jobs.push({ job, group, waitsLeft });
    } else this.#ask(target, group, src, dst, shape, false);
    return 'OK';
  }

  #ask(target: number, group: Group, src: number, dst: number, shape: Rows, isValue: boolean): void {
    const token = this.#nextToken;
    this.#nextToken = (token + 1) % 2 ** 32;
    this.#gets.set(token, group);
    group.gets++;
    const { size, count, srcStride, dstStride, planes } = shape;
    const args = [
      src % 2 ** 32,
      Math.floor(src / 2 ** 32),
      size,
      count,
      srcStride,
      dstStride,
      isValue ? 1 : 0,
    ];
    if (planes) args.push(planes.count, planes.srcStride, planes.dstStride);
    this.#jobs.push(lone(target, 0, headerFor('get', { args, address: dst, token })));
  }

  #putValue({ form, dst, data }: Call): string {
    const target = nodeAt(dst);
    if (!isNumber(dst) || !this.#isRank(target) || data.length > 8) return 'BAD_ARG';
    if (data.length === 0) return 'OK';
    if (!this.#isOfSegment(dst, data.length)) this.#fail();
    const group = this.#groupFor(form);
    if (target === this.#node) this.#doings = [{ does: 'store', dst, data }];
    else {
      const { job } = lone(target, 0, headerFor('fragment', { address: dst }));
      const urgent = this.#layout.options.completion === 'acked';
      this.#jobs.push({ job: { ...job, payload: data, urgent }, group, waitsLeft: false });
    }
    return 'OK';
  }

  #getValue({ form, src, bytes }: Call): string {
    const target = nodeAt(src);
    if (!isNumber(src) || !this.#isRank(target) || !isNumber(bytes) || bytes < 1 || bytes > 8)
      return 'BAD_ARG';
    if (!this.#isOfSegment(src, bytes)) this.#fail();
    const group = this.#groupFor(form);
    if (target === this.#node) this.#doings = [{ does: 'load', src, bytes }];
    else this.#ask(target, group, src, 0, one(bytes), true);
    return 'OK';
  }

  #memset({ form, dst, bytes, value }: Call): string {
    const target = nodeAt(dst);
    if (!isNumber(dst) || !this.#isRank(target) || !isNumber(bytes)) return 'BAD_ARG';
    if (bytes === 0) return 'OK';
    if (!this.#isOfSegment(dst, bytes)) this.#fail();
    const group = this.#groupFor(form);
    const byte = value & 255;
    if (target === this.#node) this.#doings = [{ does: 'fill', dst, bytes, value: byte }];
    else {
      const { job } = lone(target, 0, headerFor('memset', { address: dst, total: bytes, args: [byte] }));
      this.#jobs.push({ job: { ...job, urgent: true }, group, waitsLeft: false });
    }
    return 'OK';
  }

  /** The chip is quicker than the driver of a GPU, where it can. */
  #copyHere({ src, dst, bytes }: Call): string {
    if (!isNumber(bytes) || !this.#isMine(src, bytes) || !this.#isMine(dst, bytes)) return 'BAD_ARG';
    if (bytes === 0) return 'OK';
    const data = this.#moving(src, dst, one(bytes));
    const withGpu = placeIn(src).memory === 'gpu' || placeIn(dst).memory === 'gpu';
    const isForChip =
      withGpu && bytes % 4 === 0 && data.srcDmaAble && data.dstDmaAble && (src - dst) % 16 === 0;
    if (!isForChip) this.#doings = [{ does: 'copy', src, dst, bytes }];
    else {
      const { job } = lone(this.#node, 0, headerFor('put'));
      this.#jobs.push({
        job: { ...job, data, loopback: true, tellsLeft: true },
        group: undefined,
        waitsLeft: true,
      });
    }
    return 'OK';
  }

  #wrongWith(target: unknown, { kind, handler, args, src, bytes, dst }: Call): string | undefined {
    const isLong = kind === 'long' || kind === 'longAsync';
    if (!this.#isRank(target) || !isNumber(bytes) || !isNumber(handler) || handler > 255) return 'BAD_ARG';
    if (args.length > 16 || !args.every((arg: number) => arg >>> 0 === arg || (arg | 0) === arg))
      return 'BAD_ARG';
    const most = kind === 'short' ? 0 : isLong ? 2 ** 26 : this.#layout.options.slotBytes - wireOf(0);
    if (bytes > most) return 'BAD_ARG';
    if (bytes === 0) return undefined;
    if (!this.#isMine(src, bytes)) return 'BAD_ARG';
    if (isLong && (nodeAt(dst) !== target || !this.#isOfSegment(dst, bytes))) this.#fail();
    return undefined;
  }

  #jobOf(target: number, { kind, handler, args, src, bytes, dst }: Call, reply: boolean): PlainJob {
    const isLong = kind === 'long' || kind === 'longAsync';
    return {
      target,
      ring: reply ? 1 : 0,
      data: bytes === 0 ? null : this.#moving(src, isLong ? dst : src, one(bytes)),
      payload: nothing,
      header: headerFor(isLong ? 'long' : kind, {
        handler,
        args: args.map((arg: number) => (arg < 0 ? arg + 2 ** 32 : arg) % 2 ** 32),
        address: isLong ? dst : 0,
        total: bytes,
        reply,
      }),
      tellsLeft: kind === 'long' && bytes > 0,
      urgent: false,
    };
  }

  #ownLetter({ kind, handler, args, dst, bytes }: Call, reply: boolean): Letter {
    return { kind, handler, args, source: this.#node, reply, payload: nothing, address: dst, bytes };
  }

  #request(call: Call): string {
    const { target } = call;
    const wrong = this.#wrongWith(target, call);
    if (wrong !== undefined) return wrong;
    if (target === this.#node) {
      this.#doings = doingsOf(call);
      this.#own = this.#ownLetter(call, false);
      return 'OK';
    }
    const job = this.#jobOf(target, call, false);
    this.#jobs.push({ job, group: undefined, waitsLeft: job.tellsLeft });
    return 'OK';
  }

  #attach({ handlers, cpuBytes, gpuBytes }: Call): string {
    const most = this.#layout.segments;
    const fits = (bytes: unknown, max: number): boolean =>
      isNumber(bytes) && (bytes as number) % 4096 === 0 && (bytes as number) <= max;
    if (this.#isAttached) return 'RESOURCE';
    if (!fits(cpuBytes, most.cpu) || !fits(gpuBytes, most.gpu)) return 'BAD_ARG';
    if (new Set(handlers).size < handlers.length) return 'BAD_ARG';
    if (handlers.some((index: number) => index < 128 || index > 255)) return 'BAD_ARG';
    this.#handlers = handlers;
    this.#segments[this.#node] = { cpu: cpuBytes, gpu: gpuBytes };
    this.#isReached = () => this.#segments.every((segment) => segment !== undefined);
    for (let target = 0; target < this.#setting.config.nodes; target++)
      if (target !== this.#node)
        this.#jobs.push(lone(target, 1, headerFor('attach', { args: [cpuBytes, gpuBytes] })));
    return 'OK';
  }

  /** Rounds in which every node has heard of all (TCA specification 12.6). */
  get #rounds(): number {
    let rounds = 0;
    while (2 ** rounds < this.#setting.config.nodes) rounds++;
    return rounds;
  }

  get #heardNow(): Word | undefined {
    return this.#heard[`${this.#phase} ${this.#round}`];
  }

  #tellRound(): void {
    const { nodes } = this.#setting.config;
    if (this.#round === this.#rounds) return;
    const { id, flags } = this.#known;
    const target = (this.#node + 2 ** this.#round) % nodes;
    this.#jobs.push(lone(target, 1, headerFor('barrier', { args: [this.#phase, this.#round, id, flags] })));
  }

  #advance(): void {
    this.#known = together(this.#known, this.#heardNow!);
    delete this.#heard[`${this.#phase} ${this.#round}`];
    this.#round++;
    this.#tellRound();
  }

  #finishBarrier({ id, flags, wait }: Call): string {
    const { ...notified } = this.#notified ?? this.#fail();
    const isOver = (): boolean => this.#round === this.#rounds;
    if (!wait && !isOver()) return 'NOT_READY';
    this.#isReached = isOver;
    this.#settle = () => {
      const all = together(together(notified, this.#known), { id: id >>> 0, flags });
      this.#status = (all.flags & 2) === 0 ? 'OK' : 'BARRIER_MISMATCH';
      this.#value = this.#known.id;
      this.#data = Uint8Array.of(this.#known.flags & 1);
      this.#notified = undefined;
      this.#phase++;
    };
    return 'OK';
  }

  get #isHolding(): boolean {
    return this.#held.length > 0 || this.#holdsOff;
  }

  /** Locks by their rules: made once, taken once, given back in the reverse order (TCA specification 20, C17). */
  #lock({ action, lock }: Call): void {
    const isKnown = this.#locks.includes(lock);
    const isHeld = this.#held.includes(lock);
    switch (action) {
      case 'init':
        if (isKnown) this.#fail();
        this.#locks.push(lock);
        return;
      case 'destroy':
        if (!isKnown || isHeld) this.#fail();
        this.#locks.splice(this.#locks.indexOf(lock), 1);
        return;
      case 'lock':
      case 'trylock':
        if (!isKnown || isHeld) this.#fail();
        this.#held.push(lock);
        return;
      case 'unlock':
        if (this.#held.at(-1) !== lock) this.#fail();
        this.#held.pop();
        return;
      default:
        if (this.#holdsOff === (action === 'holdInterrupts')) this.#fail();
        this.#holdsOff = !this.#holdsOff;
    }
  }

  #part(name: string): Address {
    return this.#setting.of(this.#node, name);
  }
}

/** Whether a packet brings the whole, or the end, of a message for a handler. */
const isHandled = ({ kind, last }: PlainHeader): boolean =>
  kind === 'short' || kind === 'long' || (kind === 'medium' && last);

const headerFor = (kind: string, more: Partial<PlainJob['header']> = {}): PlainJob['header'] => ({
  kind,
  handler: 0,
  args: [],
  address: 0,
  token: 0,
  total: 0,
  reply: false,
  ...more,
});

/** A packet for which nobody waits. */
const lone = (target: number, ring: Ring, header: PlainJob['header']): Sending => ({
  job: { target, ring, data: null, payload: nothing, header, tellsLeft: false, urgent: false },
  group: undefined,
  waitsLeft: false,
});

/** What a message of a node to itself does to its memory. */
function doingsOf({ kind, src, dst, bytes }: Call): Doing[] {
  if (bytes === 0 || kind === 'short') return [];
  return kind === 'medium' ? [{ does: 'load', src, bytes }] : [{ does: 'copy', src, dst, bytes }];
}

/** Bytes from the first to the last byte of rows at both ends. */
function spansOf(rows: Rows): readonly [src: number, dst: number] {
  if (rows.size === 0 || rowsIn(rows) === 0) return [0, 0];
  const [src, dst] = rowAt(rows, rowsIn(rows) - 1);
  return [rows.size + src, rows.size + dst];
}
