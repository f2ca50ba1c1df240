import type { Descriptor } from '../../../actors/tca/descriptor.ts';
import type { Address } from '../../../kernel/message.ts';
import { wrongIn } from './channel-part.ts';
import {
  isBytes,
  isThere,
  type PlainPart,
  type PlainSetting,
  type Send,
  type Taken,
  u,
} from './plain-part.ts';

/** What a program asks the processor of its node for. */
export type PlainOperation =
  | { readonly op: 'load'; readonly channel: number }
  | { readonly op: 'start'; readonly channel: number; readonly chain: readonly Descriptor[] }
  | {
      readonly op: 'wait';
      readonly flags: readonly { readonly source: number; readonly slot: number; readonly tag?: number }[];
    }
  | { readonly op: 'stopped'; readonly channels: readonly number[] }
  | { readonly op: 'pio' | 'write'; readonly address: number; readonly data: Uint8Array }
  | { readonly op: 'register'; readonly register: string; readonly channel: number }
  | { readonly op: 'reset'; readonly channel: number }
  | { readonly op: 'counter'; readonly channel: number }
  | { readonly op: 'compute' | 'launch'; readonly ns: number }
  | { readonly op: 'copy'; readonly src: number; readonly dst: number; readonly bytes: number }
  | { readonly op: 'join' };

/** What an operation came to: the code with which it was refused, the value of a register, or nothing of interest. */
export type PlainAnswer = string | number | undefined;

/** A program as plain as its list. */
export type PlainProgram = Iterator<PlainOperation, void, PlainAnswer>;

/** Whether a chain has these descriptors. */
const isChain =
  (chain: readonly Descriptor[]) =>
  (found: unknown): boolean => {
    const other = found as readonly Descriptor[];
    return (
      other.length === chain.length &&
      chain.every((one, k) => {
        const {
          src,
          dst,
          size,
          count,
          srcStride,
          dstStride,
          data,
          pipeline = true,
          useInternal = true,
        } = one;
        const its = other[k]!;
        if (data === undefined ? its.data !== undefined : !its.data || !isBytes(data)(its.data)) return false;
        const isSource = data !== undefined || (src === its.src && srcStride === its.srcStride);
        return (
          isSource &&
          dst === its.dst &&
          size === its.size &&
          count === its.count &&
          dstStride === its.dstStride &&
          pipeline === (its.pipeline ?? true) &&
          useInternal === (its.useInternal ?? true)
        );
      })
    );
  };

/** The processor of a node at a program that is known: each operation begins when the one before is over and takes the time of the tables (TCA specification 3, 8, 9, 10). */
export class PlainProcessor implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #node: number;
  readonly #self: Address;
  readonly #program: PlainProgram;
  #asked: PlainOperation | undefined;
  /** What it waits for before it goes on; nothing more at the end of the program. */
  #waits: 'turn' | 'flags' | 'stop' | 'sample' | 'sampled' | 'count' | 'kernels' | 'answer' | 'end' = 'turn';
  #answer: PlainAnswer;
  #missing: { readonly source: number; readonly slot: number; readonly tag?: number }[] = [];
  readonly #flags: { readonly source: number; readonly slot: number; readonly value: number }[] = [];
  readonly #started = [0, 0, 0, 0];
  readonly #finished = [0, 0, 0, 0];
  readonly #seen = [0, 0, 0, 0];
  readonly #errors: (string | undefined)[] = [undefined, undefined, undefined, undefined];
  /** Channels that are still to be looked at. */
  #polls: number[] = [];
  #kernels = 0;
  #stores = 0;

  constructor(setting: PlainSetting, node: number, program: PlainProgram) {
    this.#setting = setting;
    this.#node = node;
    this.#self = setting.of(node, 'Cpu');
    this.#program = program;
  }

  take(event: Taken, _now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'flag.set': {
        const { source, slot, value } = event;
        const at = this.#missing.findIndex((one) => isOf(one, { source, slot, value }));
        if (at < 0) this.#flags.push({ source, slot, value });
        else this.#missing.splice(at, 1);
        if (this.#waits === 'flags') this.#seeFlags(send);
        return;
      }
      case 'chain.done':
        this.#finished[event.channel] = event.count;
        if (this.#waits === 'stop') this.#seeStop(send);
        return;
      case 'channel.error': {
        const { channel, code } = event;
        this.#errors[channel] = code;
        this.#started[channel] = this.#finished[channel]!;
        if (this.#waits === 'stop') this.#seeStop(send);
        return;
      }
      case 'kernel.done':
        this.#kernels--;
        if (this.#waits === 'kernels' && this.#kernels === 0) this.#next(undefined, send);
        return;
      case 'mmio.answer':
        this.#next(event.value, send);
        return;
      case 'copy.done':
      case 'memory.stored':
        this.#next(undefined, send);
        return;
      case 'cpu.turn':
        this.#turned(send);
    }
  }

  #turned(send: Send): void {
    switch (this.#waits) {
      case 'sample': {
        // The counter is read in the middle of the look.
        const [channel] = this.#polls as [number];
        if (this.#finished[channel]! >= this.#started[channel]!)
          this.#seen[channel] = this.#started[channel]!;
        this.#waits = 'sampled';
        this.#turn(this.#half, send);
        return;
      }
      case 'sampled':
        this.#poll(send);
        return;
      case 'count':
        this.#answer = this.#finished[(this.#asked as { readonly channel: number }).channel];
        this.#waits = 'turn';
        this.#turn(this.#half, send);
        return;
      default:
        this.#next(this.#answer, send);
    }
  }

  #next(answer: PlainAnswer, send: Send): void {
    this.#answer = undefined;
    const step = this.#program.next(answer);
    if (step.done === true) {
      this.#waits = 'end';
      return;
    }
    this.#asked = step.value;
    this.#begin(step.value, send);
  }

  #begin(asked: PlainOperation, send: Send): void {
    const { config, of } = this.#setting;
    const { parameters } = config;
    const node = this.#node;
    switch (asked.op) {
      case 'load':
        this.#answer = this.#busy(asked.channel);
        this.#turn(0, send);
        return;
      case 'start': {
        const { channel, chain } = asked;
        const refusal = wrongIn(chain) ?? this.#errors[channel] ?? this.#busy(channel);
        this.#answer = refusal;
        this.#turn(refusal === undefined ? parameters.doorbellGap : 0, send);
        if (refusal !== undefined) return;
        this.#started[channel]!++;
        const to = of(node, `Dmac[${channel}]`);
        send(to, u * parameters.mmioWriteLatency, 'dmac.doorbell', { chain: isChain(chain) });
        return;
      }
      case 'wait':
        this.#missing = [];
        for (const flag of asked.flags) {
          const at = this.#flags.findIndex((one) => isOf(flag, one));
          if (at < 0) this.#missing.push(flag);
          else this.#flags.splice(at, 1);
        }
        this.#waits = 'flags';
        this.#seeFlags(send);
        return;
      case 'stopped':
        this.#polls = [...asked.channels];
        this.#waits = 'stop';
        if (config.stopDetect === 'ideal') this.#seeStop(send);
        else this.#poll(send);
        return;
      case 'pio': {
        const { address, data } = asked;
        if (data.length > 64 || data.length % 4 !== 0 || address % 4 !== 0) this.#answer = 'EALIGN';
        else if (!isThere(address, data.length, config)) this.#answer = 'EUR';
        else
          send(
            of(node, 'PioWindow'),
            u * (parameters.pioStoreFlush + parameters.mmioWriteLatency),
            'tlp.write',
            {
              addr: address,
              data: isBytes(data),
              source: node,
              channel: -1,
              seq: this.#stores++,
            },
          );
        this.#turn(parameters.pioStoreFlush, send);
        return;
      }
      case 'write':
        send(of(node, 'CpuMemory'), 0, 'memory.store', { addr: asked.address, data: isBytes(asked.data) });
        this.#waits = 'answer';
        return;
      case 'register': {
        const { register, channel } = asked;
        send(of(node, 'RegisterFile'), this.#half * u, 'mmio.read', { register, channel });
        this.#waits = 'answer';
        return;
      }
      case 'reset': {
        const { channel } = asked;
        this.#errors[channel] = undefined;
        send(of(node, 'RegisterFile'), u * parameters.mmioWriteLatency, 'mmio.write', {
          register: 'reset',
          channel,
        });
        this.#turn(parameters.doorbellGap, send);
        return;
      }
      case 'counter':
        this.#turn(this.#half, send);
        this.#waits = 'count';
        return;
      case 'compute':
        this.#waits = 'turn';
        send(this.#self, Math.round(4 * asked.ns), 'cpu.turn');
        return;
      case 'launch':
        this.#kernels++;
        send(of(node, 'GpuKernel'), 0, 'kernel.launch', { ns: asked.ns });
        this.#turn(0, send);
        return;
      case 'copy': {
        const { src, dst, bytes } = asked;
        send(of(node, 'Copier'), 0, 'copy.job', { src, dst, bytes });
        this.#waits = 'answer';
        return;
      }
      case 'join':
        this.#waits = 'kernels';
        if (this.#kernels === 0) this.#next(undefined, send);
    }
  }

  /** The code with which a channel that runs is refused. */
  #busy(channel: number): 'EBUSY' | undefined {
    const isRunning = this.#started[channel]! > this.#finished[channel]!;
    return this.#setting.config.strict && isRunning ? 'EBUSY' : undefined;
  }

  get #half(): number {
    return this.#setting.config.parameters.perfCounterReadRoundTrip / 2;
  }

  #turn(cycles: number, send: Send): void {
    if (this.#waits !== 'sampled') this.#waits = 'turn';
    send(this.#self, u * cycles, 'cpu.turn');
  }

  /** All flags are there: the program sees them one after the other. */
  #seeFlags(send: Send): void {
    if (this.#missing.length > 0) return;
    const { pollDetect, pollGapPerChannel } = this.#setting.config.parameters;
    const { flags } = this.#asked as Extract<PlainOperation, { readonly op: 'wait' }>;
    this.#turn(pollDetect + pollGapPerChannel * (flags.length - 1), send);
  }

  #seeStop(send: Send): void {
    if (this.#setting.config.stopDetect !== 'ideal') return;
    const { channels } = this.#asked as Extract<PlainOperation, { readonly op: 'stopped' }>;
    if (channels.every((channel) => this.#finished[channel]! >= this.#started[channel]!))
      this.#tellStop(send);
  }

  /** Looks at the counters of channels of which it does not know that they stopped, one after the other, each until it has. */
  #poll(send: Send): void {
    const isKnown = (channel: number): boolean =>
      this.#errors[channel] !== undefined || this.#seen[channel] === this.#started[channel];
    while (this.#polls.length > 0 && isKnown(this.#polls[0]!)) this.#polls.shift();
    if (this.#polls.length === 0) {
      this.#tellStop(send);
      return;
    }
    this.#turn(this.#half, send);
    this.#waits = 'sample';
  }

  #tellStop(send: Send): void {
    const { channels } = this.#asked as Extract<PlainOperation, { readonly op: 'stopped' }>;
    this.#waits = 'turn';
    const failed = channels.find((channel) => this.#errors[channel] !== undefined);
    this.#next(failed === undefined ? undefined : this.#errors[failed], send);
  }
}

/** Whether a word that was written is one that is waited for. */
const isOf = (
  flag: { readonly source: number; readonly slot: number; readonly tag?: number },
  { source, slot, value }: { readonly source: number; readonly slot: number; readonly value: number },
): boolean => flag.source === source && flag.slot === slot && (flag.tag === undefined || flag.tag === value);
