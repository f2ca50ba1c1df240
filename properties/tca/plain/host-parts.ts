import type { Address } from '../../../kernel/message.ts';
import { readBytes, type WrittenBytes, writeBytes } from '../written-bytes.ts';
import {
  boardBytes,
  isBytes,
  type PlainPart,
  type PlainSetting,
  placeIn,
  type Send,
  type Taken,
  u,
  wordsPerSource,
} from './plain-part.ts';

/** CPU or GPU memory of a node (TCA specification 5, 9). */
export class PlainMemory implements PlainPart {
  readonly #written: WrittenBytes = {};
  readonly #latency: number;
  readonly #cut: number;
  readonly #board: number;
  readonly #boardEnd: number;
  readonly #down: Address;
  readonly #listener: Address;

  constructor({ config, of }: PlainSetting, node: number, memory: 'cpu' | 'gpu') {
    const { cpuReadLatency, gpuReadLatency } = config.parameters;
    this.#latency = u * (memory === 'cpu' ? cpuReadLatency : gpuReadLatency * (config.gpuBehindQpi ? 3 : 1));
    this.#cut = config.cplSplit;
    this.#board = memory === 'cpu' ? config.cpuBytes : config.gpuBytes;
    this.#boardEnd = this.#board + (memory === 'cpu' ? boardBytes(config) : 0);
    this.#down = of(node, 'Link.Down');
    this.#listener = of(node, config.gasnet ? 'NotifyBoard' : 'Cpu');
  }

  take(event: Taken, _now: number, from: Address, send: Send): void {
    switch (event.type) {
      case 'tlp.read': {
        const { addr, bytes, tag, requester } = event;
        const first = placeIn(addr).offset;
        // A completion ends where the address is a multiple of the largest one.
        for (let at = first; at < first + bytes; ) {
          const end = Math.min(first + bytes, (Math.floor(at / this.#cut) + 1) * this.#cut);
          const data = isBytes(readBytes(this.#written, addr + at - first, end - at));
          send(this.#down, this.#latency, 'tlp.completion', { tag, requester, offset: at - first, data });
          at = end;
        }
        return;
      }
      case 'tlp.write': {
        const { addr, data } = event;
        writeBytes(this.#written, addr, data);
        const { offset } = placeIn(addr);
        if (offset < this.#board || offset >= this.#boardEnd) return;
        const word = Math.floor((offset - this.#board) / 8);
        const value = data[0] + 256 * data[1] + 65_536 * data[2] + 16_777_216 * data[3];
        const source = Math.floor(word / wordsPerSource);
        send(this.#listener, 0, 'flag.set', { source, slot: word - wordsPerSource * source, value });
        return;
      }
      case 'memory.load': {
        const { addr, bytes } = event;
        send(from, 0, 'memory.loaded', { data: isBytes(readBytes(this.#written, addr, bytes)) });
        return;
      }
      case 'memory.store': {
        const { addr, data } = event;
        writeBytes(this.#written, addr, data);
        send(from, 0, 'memory.stored');
      }
    }
  }
}

/** The switch of a host (TCA specification 5): what it takes goes to the memory of its address, and its room is free again. */
export const plainSwitch = ({ of }: PlainSetting, node: number): PlainPart => ({
  take({ type, addr, data, tag, seq, source, channel, bytes, requester }, _now, _from, send) {
    const to = of(node, placeIn(addr).memory === 'gpu' ? 'GpuMemory' : 'CpuMemory');
    const up = of(node, 'Link.Up');
    if (type === 'tlp.read') {
      send(to, 0, type, { addr, bytes, tag, requester });
      send(up, 0, 'fc.update', { kind: 'NP', headers: 1, units: 0 });
    } else {
      send(to, 0, type, { addr, data, seq, source, channel });
      send(up, 0, 'fc.update', { kind: 'P', headers: 1, units: Math.ceil(data.length / 16) });
    }
  },
});

/** Nanoseconds of a copy inside a node: of CPU memory, or with the driver of the GPU (TCA specification 3). */
const copyNs = (bytes: number, withGpu: boolean): number => (withGpu ? 7000 : 50) + bytes / 6;

/** What copies inside of a node (TCA specification 3, 12.3). */
export class PlainCopier implements PlainPart {
  readonly #of: PlainSetting['of'];
  readonly #node: number;
  readonly #self: Address;
  #job: Taken | undefined;
  #requester = -1 as Address;
  #data = new Uint8Array(0);

  constructor({ of }: PlainSetting, node: number) {
    this.#of = of;
    this.#node = node;
    this.#self = of(node, 'Copier');
  }

  take(event: Taken, _now: number, from: Address, send: Send): void {
    switch (event.type) {
      case 'copy.job':
        this.#job = event;
        this.#requester = from;
        if (event.value === undefined)
          send(this.#memoryOf(event.src), 0, 'memory.load', { addr: event.src, bytes: event.bytes });
        else {
          this.#data = new Uint8Array(event.bytes).fill(event.value);
          this.#begin(send);
        }
        return;
      case 'memory.loaded':
        this.#data = event.data;
        this.#begin(send);
        return;
      case 'copy.turn': {
        const { dst } = this.#job!;
        send(this.#memoryOf(dst), 0, 'memory.store', { addr: dst, data: isBytes(this.#data) });
        return;
      }
      case 'memory.stored':
        send(this.#requester, 0, 'copy.done');
    }
  }

  #begin(send: Send): void {
    const { src, dst, bytes, value } = this.#job!;
    const isGpu = (address: number): boolean => placeIn(address).memory === 'gpu';
    const ns = copyNs(bytes, isGpu(dst) || (value === undefined && isGpu(src)));
    send(this.#self, Math.round(ns * 4), 'copy.turn');
  }

  #memoryOf(address: number): Address {
    return this.#of(this.#node, placeIn(address).memory === 'gpu' ? 'GpuMemory' : 'CpuMemory');
  }
}

/** Kernels of a GPU, one after the other, each as long as it was said. */
export class PlainGpu implements PlainPart {
  readonly #self: Address;
  readonly #launched: { readonly ns: number; readonly requester: Address }[] = [];

  constructor({ of }: PlainSetting, node: number) {
    this.#self = of(node, 'GpuKernel');
  }

  take(event: Taken, _now: number, from: Address, send: Send): void {
    if (event.type === 'kernel.launch') {
      this.#launched.push({ ns: event.ns, requester: from });
      if (this.#launched.length > 1) return;
    } else send(this.#launched.shift()!.requester, 0, 'kernel.done');
    const [next] = this.#launched;
    if (next) send(this.#self, Math.round(4 * next.ns), 'kernel.turn');
  }
}

/** Cycles by which a busy bit is late at most (TCA specification 8). */
const lateMost = 512;

/** The register file of a chip (TCA specification 8): what it says is as late as the seed has it. */
export class PlainRegisters implements PlainPart {
  readonly #of: PlainSetting['of'];
  readonly #node: number;
  readonly #half: number;
  readonly #late: () => number;
  readonly #busy: { readonly at: number; readonly value: number }[][] = [[], [], [], []];
  readonly #errors: (string | number)[] = [0, 0, 0, 0];

  /** `late` says by how many cycles the next answer is late, one of 0 to 512. */
  constructor({ config, of }: PlainSetting, node: number, late: (choices: number) => number) {
    this.#of = of;
    this.#node = node;
    this.#half = (u * config.parameters.perfCounterReadRoundTrip) / 2;
    this.#late = () => late(lateMost + 1);
  }

  take(event: Taken, now: number, from: Address, send: Send): void {
    const channel = event.channel as number;
    switch (event.type) {
      case 'dmac.busy':
        this.#busy[channel]!.push({ at: now, value: event.busy ? 1 : 0 });
        this.#errors[channel] = event.error ?? 0;
        return;
      case 'mmio.write':
        this.#errors[channel] = 0;
        send(this.#of(this.#node, `Dmac[${channel}]`), 0, 'dmac.reset');
        return;
      case 'mmio.read': {
        const then = now - u * this.#late();
        let busy = 0;
        for (const { at, value } of this.#busy[channel]!) if (at <= then) busy = value;
        const value = event.register === 'busy' ? busy : this.#errors[channel];
        send(from, this.#half, 'mmio.answer', { value });
      }
    }
  }
}
