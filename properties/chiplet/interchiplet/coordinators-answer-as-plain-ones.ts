import type * as commands from '../../../actors/chiplet/interchiplet/commands.ts';
import type * as messages from '../../../actors/chiplet/interchiplet/round-messages.ts';
import type { LockstepEvent } from '../../../kernel/message.ts';
import type { InterchipletResult } from '../../../machines/chiplet/interchiplet.ts';
import type {
  InterchipletConfig,
  InterchipletPrograms,
} from '../../../machines/chiplet/interchiplet-config.ts';
import type { Reference } from '../../with-reference.ts';
import { bits, functionalCoordinatorName, keyOf, timingCoordinatorName } from './context.ts';

/*
 * Both coordinators worked out beside a run, command by command, by the letter of chiplet specification 9.3 to 9.6. Where the specification is silent the
 * plain one does what `functional-coordinator.ts` says: a holder that asks again uses up its entry, and orders in which nobody can go on are discarded.
 */

/** A latency record in time of the system. */
interface Latency {
  readonly line: number;
  readonly cycle: number;
  readonly source: string;
  readonly target: string;
  readonly description: number;
  readonly latencies: readonly number[];
}

/** A command as it came, and who waits for its answer. */
interface Asked {
  readonly process: string;
  readonly source: string;
}
interface Launch extends Asked {
  readonly target: string;
}
interface Timed extends Launch {
  /** In time of the system. */
  readonly time: number;
  readonly bytes: number;
  readonly description: number;
}

const anybody = '-1,-1';

/** What a record has under a key, from now on. */
function of<Kept>(kept: Record<string, Kept>, key: string | number, first: Kept): Kept {
  kept[key] ??= first;
  return kept[key];
}

const nobody = (): Record<string, never[]> => ({});

/** The lines of a `delayInfo.txt` (9.6). */
const writtenLine = (text: string): messages.NetworkDone['lines'][number] => {
  const [cycle, sx, sy, tx, ty, description, , ...latencies] = text.trim().split(/\s+/).map(Number) as [
    ...[number, number, number, number, number, number, number],
    ...number[],
  ];
  return { cycle, source: { x: sx, y: sy }, target: { x: tx, y: ty }, description, latencies };
};

class PlainCoordinators {
  readonly #rates: ReadonlyMap<string, number>;
  readonly #networkRate: number;
  readonly #flitBytes: number;
  /** What every process is answered next. */
  readonly #answers = new Map<string, string[]>();
  /** The trace of each round, line by line in the order in which transactions were known. */
  readonly benches: string[][] = [];
  difference: string | undefined;
  #delay: messages.NetworkDone['lines'];

  // The functional side.
  #expected: Latency[] = [];
  #used: number[] = [];
  #lockOrders: Record<string, string[]> = nobody();
  #launchOrders: Record<string, string[]> = nobody();
  #meetings: Record<string, { count: number; there: Asked[] }> = {};
  #locks: Record<string, { holder?: string | undefined; queue: Asked[] }> = {};
  #launches: Launch[] = [];
  #awaited: (Launch & { readonly asked: string })[] = [];
  /** The message that was heard last, where a warning may come of it. */
  #heard: 'doubt' | 'as expected' | 'not as expected' | undefined;
  #command = '';

  // The side of time.
  #records: Latency[] = [];
  #ends: (Timed & { readonly isWrite: boolean })[] = [];
  #timedMeetings: Record<string, { count: number; there: Timed[] }> = {};
  #timedLocks: Record<string, { holder?: string | undefined; last?: number; waiting: Timed[] }> = {};

  constructor({ networkRate, flitBytes, delay }: InterchipletConfig, programs: InterchipletPrograms) {
    this.#rates = new Map(programs.map(({ x, y, clockRate }) => [`${x},${y}`, clockRate]));
    this.#networkRate = networkRate;
    this.#flitBytes = flitBytes;
    this.#delay = delay.map(writtenLine);
  }

  hear(event: LockstepEvent, from: string, to: string): void {
    this.#settle();
    if (event.type === 'network.done') this.#delay = (event as messages.NetworkDone).lines;
    else if (event.type.startsWith('answer.')) this.#take(event as commands.Answer, to);
    else if (to === functionalCoordinatorName) this.#ask(event, from);
    else if (to === timingCoordinatorName) this.#tell(event, from);
  }

  /** The records are given up, which is told right behind what led to it. */
  warned(): void {
    if (this.#heard === 'doubt') this.#giveUp();
    else if (this.#heard !== 'not as expected')
      this.fail(`${this.#command} is what its record expects, and that is reported`);
    this.#heard = undefined;
  }

  #settle(): void {
    if (this.#heard === 'not as expected')
      this.fail(`${this.#command} is not what its record expects, and that is not reported`);
    this.#heard = undefined;
  }

  fail(why: string): void {
    this.difference ??= why;
  }

  /** Nobody is left without his answer. */
  end(): void {
    this.#settle();
    for (const [process, [first]] of this.#answers)
      if (first !== undefined) this.fail(`${process} is never answered ${first}`);
  }

  #answer(process: string, text: string): void {
    this.#answers.set(process, [...(this.#answers.get(process) ?? []), text]);
  }

  #take(event: commands.Answer, process: string): void {
    const seen = event.type === 'answer.sync' ? `${event.cycle}` : event.values.join(' ');
    const expected = this.#answers.get(process)?.shift();
    if (expected !== seen)
      this.fail(
        `${process} is answered "${seen}", a plain coordinator answers "${expected ?? 'nothing yet'}"`,
      );
  }

  /** The records of a round, by source and cycle (9.6). */
  #load(): Latency[] {
    const rate = this.#networkRate;
    return this.#delay
      .map(({ cycle, source, target, description, latencies }, line) => ({
        ...{ line, description, cycle: cycle / rate },
        ...{ source: keyOf(source), target: keyOf(target) },
        latencies: latencies.map((one) => one / rate),
      }))
      .sort((one, other) => one.cycle - other.cycle);
  }

  #orders(bit: number): Record<string, string[]> {
    const orders: Record<string, string[]> = nobody();
    const arrival = ({ cycle, latencies }: Latency) => cycle + (latencies[1] ?? 0);
    const some = this.#expected.filter(({ description }) => (description & bit) !== 0);
    for (const { source, target } of some.sort((one, other) => arrival(one) - arrival(other)))
      orders[target] = [...(orders[target] ?? []), source];
    return orders;
  }

  // Functional commands (9.4).

  #ask(event: LockstepEvent, process: string): void {
    switch (event.type) {
      case 'round.load':
        this.#expected = this.#load();
        this.#used = [];
        this.#lockOrders = this.#orders(bits.lock);
        this.#launchOrders = this.#orders(bits.launch);
        [this.#meetings, this.#locks, this.#launches, this.#awaited] = [{}, {}, [], []];
        return;
      case 'record.used': {
        const { line } = event as messages.RecordUsed;
        if (this.#used.shift() !== line) this.fail(`record ${line} is told as used`);
        this.#expected = this.#expected.filter((one) => one.line !== line);
        return;
      }
      case 'order.doubt':
        this.#heard = 'doubt';
        return;
      default: {
        if (!event.type.startsWith('command.')) return;
        const command = event as commands.FunctionalCommand;
        this.#compare(command);
        this.#carryOut(command, process);
      }
    }
  }

  #discard(): void {
    this.#expected = [];
    this.#lockOrders = nobody();
    this.#launchOrders = nobody();
  }

  /** A command that is not the next one of its source ends the use of records. */
  #compare(command: commands.FunctionalCommand): void {
    const isChecked =
      /send|barrier|lock$|launch$/.test(command.type) && command.type !== 'command.waitlaunch';
    const record = isChecked && this.#expected.find(({ source }) => source === keyOf(command.source));
    const differs =
      record && (record.target !== targetOf(command) || record.description !== descriptionOf(command));
    this.#command = `${command.type} of (${keyOf(command.source)})`;
    this.#heard = differs ? 'not as expected' : 'as expected';
    if (differs) this.#discard();
  }

  #carryOut(command: commands.FunctionalCommand, process: string): void {
    const source = keyOf(command.source);
    switch (command.type) {
      case 'command.send':
      case 'command.receive': {
        const { source: from, target } = command;
        this.#answer(process, `../buffer${from.x}_${from.y}_${target.x}_${target.y}`);
        return;
      }
      case 'command.barrier': {
        const meeting = of(this.#meetings, command.uid, { count: 0, there: [] });
        if (command.count > 0) meeting.count = command.count;
        meeting.there.push({ process, source });
        if (meeting.there.length !== meeting.count) return;
        for (const one of meeting.there.splice(0)) this.#answer(one.process, '');
        return;
      }
      case 'command.lock': {
        const lock = this.#lock(command.uid);
        const first = this.#lockOrders[`${command.uid},0`]?.[0];
        const isHis =
          lock.holder === undefined ? first === undefined || first === source : lock.holder === source;
        if (isHis) this.#grant(command.uid, { process, source });
        else lock.queue.push({ process, source });
        return;
      }
      case 'command.unlock': {
        const lock = this.#lock(command.uid);
        this.#answer(process, '');
        if (lock.holder === undefined) return;
        lock.holder = undefined;
        const first = this.#lockOrders[`${command.uid},0`]?.[0];
        const next = lock.queue.find((one) => first === undefined || one.source === first);
        if (next === undefined) return;
        lock.queue.splice(lock.queue.indexOf(next), 1);
        this.#grant(command.uid, next);
        return;
      }
      case 'command.launch': {
        const launch = { process, source, target: keyOf(command.target) };
        const first = this.#launchOrders[launch.target]?.[0];
        const awaited =
          first === undefined || first === source
            ? this.#awaited.find((one) => fits(launch, one))
            : undefined;
        if (awaited === undefined) this.#launches.push(launch);
        else {
          this.#awaited.splice(this.#awaited.indexOf(awaited), 1);
          this.#pair(launch, awaited);
        }
        return;
      }
      case 'command.waitlaunch': {
        const target = keyOf(command.target);
        const awaited = { process, target, source: this.#launchOrders[target]?.[0] ?? source, asked: source };
        const launch = this.#launches.find((one) => fits(one, awaited));
        if (launch === undefined) this.#awaited.push(awaited);
        else {
          this.#launches.splice(this.#launches.indexOf(launch), 1);
          this.#pair(launch, awaited);
        }
      }
    }
  }

  #lock(uid: number) {
    return of(this.#locks, uid, { queue: [] });
  }

  #grant(uid: number, { process, source }: Asked): void {
    this.#lock(uid).holder = source;
    this.#lockOrders[`${uid},0`]?.shift();
    this.#answer(process, '');
  }

  #pair(launch: Launch, awaited: Asked): void {
    this.#answer(launch.process, '');
    this.#answer(awaited.process, launch.source.replace(',', ' '));
    this.#launchOrders[launch.target]?.shift();
  }

  /** Nobody can go on in the recorded orders: who waits for nothing else goes on. */
  #giveUp(): void {
    this.#discard();
    for (const [uid, { holder, queue }] of Object.entries(this.#locks))
      if (holder === undefined && queue.length > 0) this.#grant(Number(uid), queue.shift()!);
    for (const one of this.#awaited.splice(0)) {
      const awaited = { ...one, source: one.asked };
      const launch = this.#launches.find((other) => fits(other, awaited));
      if (launch === undefined) this.#awaited.push(awaited);
      else {
        this.#launches.splice(this.#launches.indexOf(launch), 1);
        this.#pair(launch, awaited);
      }
    }
  }

  // Timing commands (9.5).

  #tell(event: LockstepEvent, process: string): void {
    switch (event.type) {
      case 'round.load':
        this.#records = this.#load();
        [this.#ends, this.#timedMeetings, this.#timedLocks] = [[], {}, {}];
        this.benches.push([]);
        return;
      case 'records.discard':
        this.#records = [];
        return;
      case 'command.write':
      case 'command.read': {
        const { source, target, cycle, bytes, description } = event as commands.TransferCommand;
        const isWrite = event.type === 'command.write';
        const time = cycle / this.#rate(isWrite ? keyOf(source) : keyOf(target));
        const one = { process, source: keyOf(source), target: keyOf(target), time, bytes, description };
        if (isWrite && (description & bits.barrier) !== 0) this.#meet(one);
        else if (isWrite && (description & bits.lock) !== 0) this.#takeLock(one);
        else if (isWrite && (description & bits.unlock) !== 0) this.#giveLock(one);
        else this.#transfer({ ...one, isWrite });
      }
    }
  }

  /** A transfer has one flit more than its bytes fill: its header. */
  #flits = ({ bytes }: Timed): number => Math.ceil(bytes / this.#flitBytes) + 1;

  #rate = (place: string): number => this.#rates.get(place) ?? 1;

  #sync({ process }: Asked, place: string, time: number): void {
    this.#answer(process, `${Math.floor(time * this.#rate(place))}`);
  }

  #bench(write: Timed, read: Timed = write): void {
    const cycles = [write, read].map(({ time }) => Math.floor(time * this.#networkRate));
    const places = [write.source, write.target].join(',').replaceAll(',', ' ');
    const flits = this.#flits(write);
    this.benches
      .at(-1)!
      .push(`${cycles.join(' ')} ${places} ${flits} ${write.description | read.description}`);
  }

  #recordOf = ({ source, target }: Launch): Latency | undefined =>
    this.#records.find((one) => one.source === source && one.target === target);

  #endsOf(write: Timed, readTime: number): readonly [write: number, read: number] {
    const record = this.#recordOf(write);
    if (record === undefined) {
      const both = Math.max(write.time, readTime) + this.#flits(write);
      return [both, both];
    }
    this.#records.splice(this.#records.indexOf(record), 1);
    this.#used.push(record.line);
    const [lat0 = 0, lat1 = 0, lat2 = 0, lat3 = 0] = record.latencies;
    const arrival = Math.max(write.time + lat1, readTime);
    return (record.description & 0xf0000) !== 0
      ? [arrival + lat3, arrival + lat2]
      : [write.time + lat0, arrival];
  }

  #transfer(end: Timed & { readonly isWrite: boolean }): void {
    const other = this.#ends.find(
      (one) =>
        one.isWrite !== end.isWrite &&
        one.source === end.source &&
        one.target === end.target &&
        one.bytes === end.bytes,
    );
    if (other === undefined) {
      this.#ends.push(end);
      return;
    }
    this.#ends.splice(this.#ends.indexOf(other), 1);
    const [write, read] = end.isWrite ? [end, other] : [other, end];
    this.#bench(write, read);
    const [writeEnd, readEnd] = this.#endsOf(write, read.time);
    this.#sync(write, write.source, writeEnd);
    this.#sync(read, read.target, readEnd);
  }

  #meet(write: Timed): void {
    this.#bench(write);
    const meeting = of(this.#timedMeetings, write.target, { count: 0, there: [] });
    const count = write.description & 0xffff;
    if (count > 0) meeting.count = count;
    meeting.there.push(write);
    if (meeting.there.length !== meeting.count) return;
    const all = meeting.there.splice(0);
    const arrivals = all.map((one) => {
      const record = this.#recordOf(one);
      return record ? record.cycle + (record.latencies[1] ?? 0) : one.time + this.#flits(one);
    });
    const last = Math.max(...arrivals);
    for (const one of all) this.#sync(one, one.source, this.#endsOf(one, last)[0]);
  }

  #hold(write: Timed): void {
    const lock = this.#timedLocks[write.target]!;
    const [writeEnd, readEnd] = this.#endsOf(write, lock.last ?? write.time);
    this.#sync(write, write.source, writeEnd);
    lock.last = readEnd;
    lock.holder = write.source;
  }

  #takeLock(write: Timed): void {
    this.#bench(write);
    const lock = of(this.#timedLocks, write.target, { waiting: [] });
    if (lock.holder === undefined) this.#hold(write);
    else if (lock.holder === write.source)
      this.#sync(write, write.source, this.#endsOf(write, write.time)[0]);
    else lock.waiting.push(write);
  }

  #giveLock(write: Timed): void {
    this.#bench(write);
    const lock = of(this.#timedLocks, write.target, { waiting: [] });
    const isHeld = lock.holder !== undefined;
    const [writeEnd, readEnd] = this.#endsOf(write, isHeld ? (lock.last ?? write.time) : write.time);
    this.#sync(write, write.source, writeEnd);
    if (!isHeld) return;
    lock.last = readEnd;
    lock.holder = undefined;
    const next = lock.waiting.shift();
    if (next) this.#hold(next);
  }
}

const fits = (launch: Launch, awaited: Launch): boolean =>
  launch.target === awaited.target && (awaited.source === anybody || awaited.source === launch.source);

const targetOf = (command: commands.FunctionalCommand): string =>
  'target' in command ? keyOf(command.target) : `${command.uid},0`;

function descriptionOf(command: commands.FunctionalCommand): number {
  switch (command.type) {
    case 'command.barrier':
      return bits.barrier | command.count;
    case 'command.lock':
      return bits.lock;
    case 'command.unlock':
      return bits.unlock;
    case 'command.launch':
      return bits.launch;
    default:
      return 0;
  }
}

const firstCycle = (line: string): number => Number(line.split(' ')[0]);

/** Each answer of the coordinators, and each line of their traces, is that of plain ones (chiplet specification 9.3 to 9.6). */
export const coordinatorsAnswerAsPlainOnes: Reference = (run, { config, programs }, assembly) => {
  const plain = new PlainCoordinators(config as InterchipletConfig, programs as InterchipletPrograms);
  const stop = run.listen({
    delivered: ({ event, from }, to) => plain.hear(event, run.nameOf(from), to),
    shown: (_tick, _actor, probe) => {
      if (probe.type === 'order.warning') plain.warned();
    },
  });
  return () => {
    stop();
    plain.end();
    const { rounds } = assembly.result(run) as InterchipletResult;
    for (const [at, { bench }] of rounds.entries()) {
      const expected = (plain.benches[at] ?? []).sort((one, other) => firstCycle(one) - firstCycle(other));
      const k = bench.findIndex((line, index) => line !== expected[index]);
      if (k >= 0 || bench.length !== expected.length)
        plain.fail(
          `line ${k + 1} of the trace of round ${at + 1} is "${bench[k]}", a plain coordinator writes "${expected[k]}"`,
        );
    }
    return plain.difference;
  };
};
