import type { HostCall, TimedCall } from '../../../actors/grape/host-calls.ts';
import type { HostRecord } from '../../../actors/grape/host-words.ts';
import type { GrapeConfig } from '../../../machines/grape/config.ts';
import { hostBits, treeOf } from '../exact-words.ts';
import { hostValueOf, wordOfHostValue } from './plain-arithmetic.ts';
import { PlainBlock } from './plain-block.ts';
import {
  type Place,
  type PlainItem,
  type PlainLook,
  type PlainProgram,
  type PlainReduction,
  type PlainSlot,
  type PlainVariable,
  plainSections,
} from './plain-program.ts';

type Value = number | string;

/** What a run came to: the same words as those of the machine, so that both can be compared. */
export interface PlainResult {
  readonly calls: {
    readonly call: string;
    readonly code: number;
    readonly cycles: number;
    readonly from: number;
    readonly to: number;
  }[];
  readonly counts: Record<'slots' | 'nops' | 'mul' | 'add' | 'alu' | 'bm' | 'idp' | 'rrn' | 'waited', number>;
  readonly idp: { words: number; busy: number };
  readonly rrn: { words: number; busy: number };
  readonly output: {
    readonly line: number;
    readonly kind: string;
    readonly what: string;
    readonly values: readonly Value[];
  }[];
  readonly results: (readonly (Value | Readonly<Record<string, Value | readonly Value[]>>)[])[];
}

/** A slot as it was issued. */
export interface PlainIssue {
  readonly t: number;
  readonly length: number;
  readonly seq: number;
  readonly section: string;
  readonly pass: number | null;
  readonly line: number;
}

/** A warning of a block. */
export interface PlainWarning {
  readonly t: number;
  readonly code: string;
  readonly block: number;
}

/** A word on its way to broadcast memory. */
interface Arriving {
  readonly cycle: number;
  readonly addr: number;
  readonly long: boolean;
  readonly word: bigint;
}

/** A word of a record, or two short ones that share a long word. */
interface Unit {
  readonly addr: number;
  readonly long: boolean;
}

/** A step of the control processor. */
type Step =
  | {
      readonly kind: 'item';
      readonly item: PlainItem;
      readonly section: string;
      readonly pass: number | null;
      readonly refills: boolean;
    }
  | { readonly kind: 'packets'; readonly packets: readonly Packet[] }
  | { readonly kind: 'visible'; readonly packet: number }
  | { readonly kind: 'table'; readonly table: number }
  | { readonly kind: 'feed'; readonly pass: number }
  | { readonly kind: 'ports' };

interface Packet {
  readonly addr: number;
  readonly long: boolean;
  readonly words: readonly bigint[];
  readonly pause: number;
}

const widthOf = (long: boolean): number => (long ? 2 : 1);
const plain = (value: number | bigint): Value => (typeof value === 'bigint' ? value.toString() : value);

/**
 * The chip as one loop over cycles: no actors, no messages, no assembler, words as bigints (GRAPE specification 2 to 7).
 *
 * Use when: what the machine says of a run is to be compared with what the specification says.
 */
export class PlainChip {
  readonly #config: GrapeConfig;
  readonly #program: PlainProgram;
  readonly #blocks: PlainBlock[];
  readonly issued: PlainIssue[] = [];
  readonly warnings: PlainWarning[] = [];
  /** In the order in which they began. */
  readonly reductions: PlainReduction[] = [];
  readonly result: PlainResult = {
    calls: [],
    counts: { slots: 0, nops: 0, mul: 0, add: 0, alu: 0, bm: 0, idp: 0, rrn: 0, waited: 0 },
    idp: { words: 0, busy: 0 },
    rrn: { words: 0, busy: 0 },
    output: [],
    results: [],
  };
  /** Records of external memory by table: the words of their units. */
  readonly #records = new Map<number, Map<number, readonly bigint[]>>();
  readonly #pointers = new Map<number, number>();
  /** External memory has read ahead from this cycle on. */
  #readyFrom = 0;

  /** First cycle that has not been carried out, and the cycle in which the next slot may begin. */
  #time = 0;
  #next = 0;
  #seq = 0;
  #slot: { readonly begins: number; readonly length: number; readonly slot: PlainSlot | null } | undefined;
  #ended: PlainSlot | null = null;
  /** First cycle in which the ports are free; undefined while a reduction decides it. */
  #portFree: number | undefined = 0;
  #arriving: Arriving[][] = [];
  #announced: { from: number; longs: number[] }[] = [];
  #reserved: { from: number; longs: number[] }[] = [];
  #reduction: Reducing | undefined;
  #visible: number[] = [];
  #fed = 0;
  #fault = false;
  #received: { readonly conversion: string; readonly bits: readonly bigint[] }[] = [];

  constructor(config: GrapeConfig, program: PlainProgram) {
    const { nPE, lmShort, grfShort, bmShort, mode } = config;
    this.#config = config;
    this.#program = program;
    const sizes = { nPE, lmShort, grfShort, bmShort, functional: mode === 'functional' };
    this.#blocks = Array.from({ length: config.nBB }, (_, number) => new PlainBlock(number, sizes));
    this.#arriving = this.#blocks.map(() => []);
    this.#announced = this.#blocks.map(() => ({ from: 0, longs: [] }));
    this.#reserved = this.#blocks.map(() => ({ from: 0, longs: [] }));
  }

  /** Carries out the calls of the host, one after another. */
  run(calls: readonly TimedCall[]): void {
    let now = 0;
    const host = { table: 'none' as 'none' | 'i' | number, particles: 0 };
    const { hostCall, hostWord } = this.#config;
    for (const call of calls) {
      const from = Math.max(now, call.at ?? 0);
      now = from + hostCall + hostWord * this.#wordsSent(call);
      const todo = this.#dispatch(call, host, now);
      let cycles = 0;
      let code = typeof todo === 'number' ? todo : 0;
      if (typeof todo !== 'number') {
        this.#received = [];
        cycles = this.#work(todo, now);
        code = this.#fault ? -4 : 0;
        now = this.#next + hostWord * this.#received.reduce((sum, { bits }) => sum + bits.length, 0);
        this.#bring(call, host.particles);
      }
      this.result.calls.push({ call: call.call, code, cycles, from, to: now });
    }
  }

  #table(kind: 'elt' | 'hlt', table: number): readonly PlainVariable[] {
    return this.#program.variables.filter(
      ({ transfer }) => transfer?.kind === kind && transfer.table === table,
    );
  }

  #resultVariables(): readonly PlainVariable[] {
    return this.#program.variables.filter(({ transfer }) => transfer?.kind === 'rrn');
  }

  #wordsSent(call: HostCall): number {
    switch (call.call) {
      case 'sendEltData':
        return this.#units(this.#table('elt', call.num)).length;
      case 'sendIParticle':
        return call.particles.length * this.#table('hlt', 0).length;
      case 'sendHltData':
        return 4 * this.#table('hlt', call.num).length;
      default:
        return 0;
    }
  }

  /** The words of a record as the input port carries them: two short ones that share a long word go together. */
  #units(variables: readonly PlainVariable[]): readonly Unit[] {
    const words = this.#placesOf(variables);
    const shorts = new Set(words.filter(({ long }) => !long).map(({ addr }) => addr));
    return words.flatMap(({ addr, long }): readonly Unit[] => {
      if (long) return [{ addr, long }];
      const pair = addr - (addr % 2);
      if (!(shorts.has(pair) && shorts.has(pair + 1))) return [{ addr, long }];
      return addr === pair ? [{ addr, long: true }] : [];
    });
  }

  #placesOf(variables: readonly PlainVariable[]): readonly Unit[] {
    return variables.flatMap(({ addr, long, vector }) =>
      Array.from({ length: vector ? 4 : 1 }, (_, k) => ({ addr: addr + k * widthOf(long), long })),
    );
  }

  #recordWords(variables: readonly PlainVariable[], record: HostRecord): readonly bigint[] {
    const cuts = this.#config.compat.narrowMode === 'truncate';
    return variables.flatMap(({ name, transfer }) =>
      [record[name] ?? 0].flat().map((one) => wordOfHostValue(transfer!.conversion, one as number, cuts)),
    );
  }

  /** A code, or the steps of the work. */
  #dispatch(
    call: HostCall,
    host: { table: 'none' | 'i' | number; particles: number },
    now: number,
  ): number | Work {
    const { type } = this.#program;
    const { compat, nPE, emLong } = this.#config;
    if (call.call === 'alone')
      return {
        ...none,
        resets: true,
        rewinds: true,
        before: [...this.#constantSteps(), ...plainSections.flatMap((one) => this.#items(one))],
      };
    if (call.call === 'init') {
      Object.assign(host, { table: 'i', particles: 0 });
      return { ...none, resets: true, before: [...this.#constantSteps(), ...this.#items('initialization')] };
    }
    if (host.table === 'none') return -1;
    switch (call.call) {
      case 'sendEltData': {
        const variables = this.#table('elt', call.num);
        const units = this.#units(variables);
        if (variables.length === 0 || call.index < 0 || (call.index + 1) * units.length > emLong) return -2;
        const atOnce = type === 1 && call.num > 0;
        this.#store(call.num, atOnce ? 0 : call.index, variables, units, call.record);
        this.#readyFrom = Math.max(this.#readyFrom, now + this.#config.emLatency);
        if (!atOnce) return 0;
        return { ...none, before: [{ kind: 'table', table: call.num }, { kind: 'ports' }] };
      }
      case 'sendIParticle': {
        const { particles, n = particles.length } = call;
        if (host.table !== 'i' && !compat.autoRegister) return -3;
        if (n < 0 || n > particles.length || n > 4 * nPE) return -2;
        Object.assign(host, { table: 'i', particles: n });
        const variables = this.#table('hlt', 0);
        const words = particles.slice(0, n).map((one) => this.#recordWords(variables, one));
        const deliveries = [];
        for (let pe = 0; 4 * pe < n; pe++)
          for (const [at, variable] of variables.entries())
            deliveries.push({ variable, pe, words: words.slice(4 * pe, 4 * pe + 4).map((one) => one[at]!) });
        return { ...none, before: this.#deliverySteps(deliveries) };
      }
      case 'sendHltData': {
        const variables = this.#table('hlt', call.num);
        if (call.peindex !== 0 || variables.length === 0) return -2;
        host.table = call.num;
        const deliveries = variables.map((variable) => ({
          variable,
          pe: -1,
          words: this.#recordWords([variable], call.record),
        }));
        return { ...none, before: this.#deliverySteps(deliveries) };
      }
      case 'registerIParticleConversion':
        host.table = 'i';
        return 0;
      case 'run':
        return type !== 1 || call.n < 0 ? -2 : this.#passes(call.n);
      case 'type2Run': {
        if (type !== 2 || call.n < 0) return -2;
        const sent = this.#program.sections.loopBody.reduce((sum, item) => {
          const rrn = item.kind === 'slot' ? item.slot.rrn : undefined;
          if (!rrn || rrn.options.includes('o')) return sum;
          return sum + rrn.count * (rrn.conversion === 'fix72to64w' ? 2 : 1);
        }, 0);
        return call.length !== undefined && sent * call.n > call.length ? -4 : this.#passes(call.n);
      }
      case 'getResult':
        return { ...none, before: this.#resultSteps(host.particles) };
    }
  }

  #store(
    table: number,
    index: number,
    variables: readonly PlainVariable[],
    units: readonly Unit[],
    record: HostRecord,
  ): void {
    const image = new Map<number, bigint>();
    const words = this.#recordWords(variables, record);
    for (const [at, { addr, long }] of this.#placesOf(variables).entries()) {
      const word = words[at] ?? 0n;
      image.set(addr, long ? word >> 36n : word);
      if (long) image.set(addr + 1, word & ((1n << 36n) - 1n));
    }
    const records = this.#records.get(table) ?? new Map<number, readonly bigint[]>();
    this.#records.set(table, records);
    const short = (addr: number): bigint => image.get(addr) ?? 0n;
    records.set(
      index,
      units.map(({ addr, long }) => (long ? (short(addr) << 36n) | short(addr + 1) : short(addr))),
    );
  }

  #items(
    section: (typeof plainSections)[number],
    pass: number | null = null,
    refillAt = -1,
  ): readonly Step[] {
    return this.#program.sections[section].map((item, at) => ({
      kind: 'item',
      item,
      section,
      pass,
      refills: at === refillAt,
    }));
  }

  #passes(count: number): Work {
    const feeds = this.#program.type === 1 && this.#table('elt', 0).length > 0;
    const refillAt = this.#refillAt();
    return {
      ...none,
      rewinds: true,
      passes: count,
      before: this.#items('loopInitialization'),
      body: (pass) => [
        ...(feeds ? [{ kind: 'feed', pass } as const] : []),
        // A program of type II sends for its records itself.
        ...this.#items('loopBody', pass, feeds ? refillAt : -1),
      ],
      after: this.#items('loopFinalization'),
    };
  }

  /** The first slot behind the last that reads a record of table 0 by `bm` (GRAPE specification 6.4). */
  #refillAt(): number {
    const { loopBody } = this.#program.sections;
    const record = new Set<number>();
    for (const { addr, long } of this.#placesOf(this.#table('elt', 0)))
      for (const half of long ? [addr, addr + 1] : [addr]) record.add(half);
    const last = loopBody.findLastIndex((item) => {
      if (item.kind !== 'slot' || !item.slot.bm?.toPe) return false;
      const { there } = item.slot.bm;
      return Array.from({ length: item.slot.vlen }, (_, k) => there.addr + k * widthOf(there.long)).some(
        (addr) => record.has(addr) || (there.long && record.has(addr + 1)),
      );
    });
    return last < 0 ? -1 : loopBody.findIndex((item, at) => at > last && item.kind !== 'look');
  }

  /** A place above the variables of broadcast memory (GRAPE specification 7.5). */
  #scratch(): number {
    const ends = this.#program.variables
      .filter(({ space }) => space === 'bm')
      .map(({ addr, long, vector }) => addr + widthOf(long) * (vector ? 4 : 1));
    const free = Math.max(0, ...ends);
    return free + (free % 2);
  }

  #constantSteps(): readonly Step[] {
    const { constants } = this.#program;
    if (constants.length === 0) return [];
    let free = 0;
    const packets = constants.map(({ long, word }): Packet => {
      const addr = long ? free + (free % 2) : free;
      free = addr + widthOf(long);
      return { addr, long, words: [word], pause: 0 };
    });
    return [
      { kind: 'packets', packets },
      ...constants.flatMap(({ addr, long }, packet): readonly Step[] => [
        { kind: 'visible', packet },
        this.#move(1, packets[packet]!.addr, long, addr, -1),
      ]),
      this.#pause(),
    ];
  }

  #library(slot: Partial<PlainSlot>): Step {
    const empty = { line: 0, vlen: 4, mask: 0, floatFlag: 0, integerFlag: 0 };
    return {
      kind: 'item',
      item: { kind: 'slot', slot: { ...empty, ...slot } },
      section: 'library',
      pass: null,
      refills: false,
    };
  }

  #pause(count = 1, vlen = 4): Step {
    const item = { kind: 'nop', line: 0, vlen, count } as const;
    return { kind: 'item', item, section: 'library', pass: null, refills: false };
  }

  /** A transfer from broadcast memory to local memory. */
  #move(vlen: number, from: number, long: boolean, to: number, pe: number): Step {
    const step = widthOf(long);
    const there: Place = { kind: 'bm', addr: from, long, step };
    const here: Place = { kind: 'lm', addr: to, long, step };
    return this.#library({ vlen, bm: { toPe: true, there, here, pe } });
  }

  #deliverySteps(
    deliveries: readonly {
      readonly variable: PlainVariable;
      readonly pe: number;
      readonly words: readonly bigint[];
    }[],
  ): readonly Step[] {
    if (deliveries.length === 0) return [];
    const { slotMin, idpHeader } = this.#config;
    const at = this.#scratch();
    /** The cycle in which a packet that begins in cycle 0 has brought the word in each place, by short words. */
    const arrivals = deliveries.map(({ variable: { long }, words }) =>
      words.flatMap((_, k) => Array(widthOf(long)).fill(idpHeader + Math.floor((k * widthOf(long)) / 2))),
    );
    let [begins, free] = [0, 0];
    const packets = deliveries.map(({ variable: { long }, words }, packet): Packet => {
      const ends = begins + Math.max(...arrivals[packet]!) + 1;
      const from = Math.max(ends, free);
      free = from + Math.max(words.length, slotMin);
      const isRead = (cycle: number) => (arrival: number, place: number) =>
        place >= arrivals[packet]!.length || cycle + arrival > from + Math.floor(place / widthOf(long));
      // The first cycle in which the next one can begin, as all words are read before others come to their places.
      const next = arrivals[packet + 1] ?? [];
      begins = ends;
      while (!next.every(isRead(begins))) begins++;
      return { addr: at, long, words, pause: begins - ends };
    });
    return [
      { kind: 'packets', packets },
      ...deliveries.flatMap(({ variable: { addr, long }, pe, words }, packet): readonly Step[] => [
        { kind: 'visible', packet },
        this.#move(words.length, at, long, addr, pe),
      ]),
    ];
  }

  #resultSteps(particles: number): readonly Step[] {
    const addr = this.#scratch();
    const register: Place = { kind: 'grf', addr: 0, long: true, step: 2 };
    const there: Place = { kind: 'bm', addr, long: true, step: 2 };
    const steps: Step[] = [];
    for (let pe = 0; 4 * pe < particles; pe++)
      for (const { addr: from, long, transfer } of this.#resultVariables()) {
        const vlen = Math.min(4, particles - 4 * pe);
        const a: Place = { kind: 'lm', addr: from, long, step: widthOf(long) };
        const { op, options, conversion } = transfer!;
        const rrn = {
          op,
          from: there,
          count: vlen,
          rounds: options.includes('r') || !long,
          options,
          conversion,
        };
        steps.push(
          this.#library({ vlen, alu: { op: 'passa', signed: false, a, b: a, to: [register] } }),
          this.#pause(),
          this.#library({ vlen, bm: { toPe: false, there, here: register, pe } }),
          this.#pause(),
          this.#library({ rrn }),
          { kind: 'ports' },
        );
      }
    return steps;
  }

  /** Carries out work that the host asks for in a cycle; gives back the cycles that it took. */
  #work({ before, passes, body, after, resets, rewinds }: Work, cycle: number): number {
    const { slotMin, emLatency } = this.#config;
    this.#next = cycle + 1;
    const began = this.#next;
    this.#portFree = began;
    this.#visible = [];
    this.#fed = 0;
    this.#fault = false;
    this.#carryOn(began);
    if (resets) {
      for (const block of this.#blocks) block.reset();
      this.#ended = null;
      this.#slot = undefined;
    }
    if (rewinds) {
      this.#pointers.clear();
      this.#readyFrom = Math.max(this.#readyFrom, began + emLatency);
    }
    const all = function* (): Generator<Step> {
      yield* before;
      for (let pass = 0; pass < passes; pass++) yield* body(pass);
      yield* after;
    };
    for (const step of all()) {
      if (this.#fault) break;
      this.#step(step, passes);
    }
    this.#step({ kind: 'ports' }, 0);
    this.#step(this.#pause(2, 1), 0);
    this.#carryOn(this.#next);
    return this.#next - began - 2 * slotMin;
  }

  #step(step: Step, passes: number): void {
    switch (step.kind) {
      case 'ports':
        this.#awaitPorts();
        return;
      case 'packets':
        this.#awaitPorts();
        this.#sendPackets(step.packets);
        return;
      case 'visible': {
        const from = Math.max(this.#next, this.#visible[step.packet]!);
        this.result.counts.waited += from - this.#next;
        this.#next = from;
        return;
      }
      case 'table':
        this.#awaitPorts();
        this.#input({ table: step.table, mode: 2, block: -1 });
        return;
      case 'feed':
        if (this.#fed <= step.pass) {
          this.#awaitPorts();
          this.#feed();
        }
        this.#awaitPorts();
        return;
      case 'item':
        this.#item(step, passes);
    }
  }

  #item({ item, section, pass, refills }: Extract<Step, { kind: 'item' }>, passes: number): void {
    if (item.kind === 'look') {
      this.#carryOn(this.#next);
      this.#look(item.line, item.what, item.look);
      return;
    }
    if (item.kind === 'nop') {
      for (let at = 0; at < item.count; at++) {
        if (this.#fault) return;
        if (refills && at === 0) this.#refill(passes);
        this.#issue(null, item.vlen, section, pass, item.line);
      }
      return;
    }
    const { slot } = item;
    if (slot.idp || slot.rrn) {
      if (!this.#portsAreFree() && this.#config.portPolicy === 'fault') {
        this.#fault = true;
        return;
      }
      this.#awaitPorts();
      if (slot.idp && slot.rrn) {
        this.#fault = true;
        return;
      }
      if (slot.idp) this.#input(slot.idp);
      if (slot.rrn) this.#reduce(slot.rrn);
    }
    if (refills) this.#refill(passes);
    this.#issue(slot, slot.vlen, section, pass, slot.line);
  }

  #portsAreFree(): boolean {
    this.#carryOn(this.#next);
    return this.#portFree !== undefined && this.#portFree <= this.#next;
  }

  /** Lets slots pass until both ports are free. */
  #awaitPorts(): void {
    this.#carryOn(this.#next);
    for (let cycle = this.#next + 1; this.#portFree === undefined; cycle++) this.#carryOn(cycle);
    const { slotMin } = this.#config;
    const slots = Math.max(0, Math.ceil((this.#portFree - this.#next) / slotMin));
    this.result.counts.waited += slots * slotMin;
    this.#next += slots * slotMin;
  }

  #feed(): void {
    this.#fed++;
    this.#input({ table: 0, mode: 0, block: -1 });
  }

  #refill(passes: number): void {
    if (this.#config.jPolicy === 'overlap' && this.#fed < passes && this.#portsAreFree()) this.#feed();
  }

  /** A transfer of records begins with the next slot. */
  #input({ table, mode, block }: NonNullable<PlainSlot['idp']>): void {
    const { idpHeader, idpLatency, nBB } = this.#config;
    const begins = this.#next;
    this.result.counts.idp++;
    this.#carryOn(begins);
    const units = this.#units(this.#table('elt', table));
    const records = mode === 0 ? nBB : 1;
    const first = this.#pointers.get(table) ?? 0;
    const room = Math.max(
      0,
      ...this.#program.regions.filter((region) => region.table === table).map(({ count }) => count),
    );
    if (units.length === 0 || (this.#program.type === 2 && first + records > room)) {
      this.#fault = true;
      this.#portFree = begins - 1;
      return;
    }
    if (mode !== 2) this.#pointers.set(table, first + records);
    const targets = (record: number): readonly number[] => {
      if (mode === 0) return [record];
      return block < 0 ? this.#blocks.map((_, at) => at) : [block];
    };
    const announcedTo = mode === 0 ? this.#blocks.map((_, at) => at) : targets(0);
    for (const at of announcedTo) {
      this.#announced[at]!.from = begins;
      this.#announced[at]!.longs.push(...units.map(({ addr }) => Math.floor(addr / 2)));
    }
    let cycle = begins + idpHeader;
    for (let record = 0; record < records; record++)
      for (const [at, unit] of units.entries()) {
        cycle = Math.max(cycle, this.#readyFrom);
        const word = this.#records.get(table)?.get(first + record)?.[at] ?? 0n;
        for (const to of targets(record))
          this.#arriving[to]!.push({ cycle: cycle + idpLatency, ...unit, word });
        this.result.idp.words++;
        cycle++;
      }
    this.#portFree = cycle + idpLatency;
    this.result.idp.busy += this.#portFree - begins;
  }

  #sendPackets(packets: readonly Packet[]): void {
    const { idpHeader, idpLatency } = this.#config;
    const begins = this.#next;
    let cycle = begins;
    let words = 0;
    for (const { addr, long, words: all, pause } of packets) {
      cycle += idpHeader;
      const last = cycle;
      const each = long ? 1 : 2;
      for (let at = 0; at < all.length; at += each) {
        for (const arriving of this.#arriving)
          for (let half = at; half < Math.min(at + each, all.length); half++)
            arriving.push({
              cycle: cycle + idpLatency,
              addr: addr + half * widthOf(long),
              long,
              word: all[half]!,
            });
        cycle++;
        words++;
      }
      this.#visible.push(Math.max(last + 1, cycle) + idpLatency);
      this.#portFree = cycle + idpLatency;
      cycle += pause;
    }
    this.result.idp.words += words;
    this.result.idp.busy += this.#portFree! - begins;
  }

  #reduce(op: PlainReduction): void {
    const begins = this.#next;
    this.#carryOn(begins);
    this.result.counts.rrn++;
    this.reductions.push(op);
    this.#portFree = undefined;
    this.#reduction = { op, begins, readAt: begins, asked: 0 };
    const longs = Array.from({ length: op.count }, (_, k) =>
      Math.floor((op.from.addr + k * widthOf(op.from.long)) / 2),
    );
    for (const block of this.#sources(op)) {
      this.#reserved[block]!.from = begins;
      this.#reserved[block]!.longs.push(...longs);
    }
  }

  #sources({ op }: Pick<PlainReduction, 'op'>): readonly number[] {
    return /^\d+$/.test(op) ? [Number(op)] : this.#blocks.map((_, at) => at);
  }

  #issue(slot: PlainSlot | null, vlen: number, section: string, pass: number | null, line: number): void {
    const begins = this.#next;
    const length = Math.max(vlen, this.#config.slotMin);
    this.#carryOn(begins);
    this.#slot = { begins, length, slot };
    this.issued.push({ t: begins, length, seq: this.#seq++, section, pass, line });
    const { counts } = this.result;
    counts.slots++;
    if (slot === null) counts.nops++;
    if (slot?.mul) counts.mul++;
    if (slot?.add) counts.add++;
    if (slot?.alu) counts.alu++;
    if (slot?.bm) counts.bm++;
    this.#next += length;
    if (slot) for (const block of this.#blocks) block.begin();
  }

  /** Carries out all cycles before one, and of that one what comes before a slot may begin. */
  #carryOn(until: number): void {
    while (this.#time < until) {
      this.#workIn(this.#time);
      this.#time++;
      this.#beginOf(this.#time);
    }
  }

  /** What comes in, then the end of a slot. */
  #beginOf(cycle: number): void {
    for (const [at, block] of this.#blocks.entries()) this.#receive(at, block, cycle);
    const current = this.#slot;
    if (current === undefined || cycle < current.begins + current.length) return;
    this.#slot = undefined;
    const last = this.#ended;
    for (const [at, block] of this.#blocks.entries()) {
      if (last?.bm && !last.bm.toPe)
        for (let k = 0; k < last.vlen; k++)
          this.#warnOfOverwrite(
            at,
            Math.floor((last.bm.there.addr + k * widthOf(last.bm.there.long)) / 2),
            cycle,
          );
      if (current.slot === null) block.pass();
      else block.retire(current.slot);
    }
    this.#ended = current.slot;
  }

  #receive(at: number, block: PlainBlock, cycle: number): void {
    const arriving = this.#arriving[at]!;
    while (arriving.length > 0 && arriving[0]!.cycle <= cycle) {
      const { addr, long, word, cycle: from } = arriving.shift()!;
      const double = Math.floor(addr / 2);
      this.#warnOfOverwrite(at, double, from);
      block.writeBroadcast(addr, long, word);
      const known = this.#announced[at]!.longs.indexOf(double);
      if (known >= 0) this.#announced[at]!.longs.splice(known, 1);
    }
  }

  #warnOfOverwrite(block: number, double: number, t: number): void {
    const { from, longs } = this.#reserved[block]!;
    if (t > from && longs.includes(double)) this.warnings.push({ t, code: 'X_BM_OVERWRITE', block });
  }

  /** An element of the slot, then a word of a reduction: `bm` goes first at the port (GRAPE specification 6.3). */
  #workIn(cycle: number): void {
    const k = this.#slot ? cycle - this.#slot.begins : -1;
    const slot = this.#slot?.slot;
    const isWorking = slot && k < slot.vlen;
    if (isWorking)
      for (const [at, block] of this.#blocks.entries()) {
        const { from, longs } = this.#announced[at]!;
        if (slot.bm?.toPe && cycle >= from) {
          const { addr, long } = slot.bm.there;
          if (longs.includes(Math.floor((addr + k * widthOf(long)) / 2)))
            this.warnings.push({ t: cycle, code: 'X_BM_EARLY', block: at });
        }
        block.element(slot, k);
      }
    const task = this.#reduction;
    if (!task || task.readAt !== cycle) return;
    if (isWorking && slot.bm) {
      task.readAt++;
      return;
    }
    this.#readOut(task, cycle);
  }

  #readOut(task: Reducing, cycle: number): void {
    const { op, begins, asked } = task;
    const { levelCycles, outCycles, nBB } = this.#config;
    const { addr, long } = op.from;
    const at = addr + asked * widthOf(long);
    const sources = this.#sources(op);
    const words = sources.map((block) => {
      const { longs } = this.#reserved[block]!;
      const known = longs.indexOf(Math.floor(at / 2));
      if (known >= 0) longs.splice(known, 1);
      return this.#blocks[block]!.readBroadcast(at, long);
    });
    const reads = /^\d+$/.test(op.op);
    const word = reads ? words[0]! : treeOf(op.op, words, op.rounds);
    this.result.rrn.words++;
    if (!op.options.includes('o'))
      this.#received.push({ conversion: op.conversion, bits: hostBits(op.conversion, op.op, word)! });
    task.asked++;
    task.readAt = cycle + outCycles;
    if (task.asked < op.count) return;
    let levels = 1;
    while (!reads && 2 ** levels < nBB) levels++;
    this.#portFree = cycle + levels * levelCycles + outCycles;
    this.result.rrn.busy += this.#portFree - begins;
    this.#reduction = undefined;
  }

  #bring(call: HostCall, particles: number): void {
    const values = this.#received.map(({ conversion, bits }) =>
      bits.map((one) => plain(hostValueOf(conversion, one))),
    );
    if (call.call === 'type2Run') this.result.results.push(values.flat());
    if (call.call !== 'getResult') return;
    const results = Array.from({ length: particles }, (): Record<string, Value | readonly Value[]> => ({}));
    for (let first = 0; first < particles; first += 4)
      for (const { name, transfer } of this.#resultVariables()) {
        if (transfer!.options.includes('o')) continue;
        for (const result of results.slice(first, first + 4)) {
          const value = values.shift()!;
          result[name] = value.length === 1 ? value[0]! : value;
        }
      }
    this.result.results.push(results);
    if (this.#config.compat.emClobber) this.#records.clear();
  }

  #look(line: number, what: string, look: PlainLook): void {
    const shown = (values: readonly Value[]) =>
      this.result.output.push({ line, kind: look.kind, what, values });
    switch (look.kind) {
      case 'IDP': {
        const { addr, long, count, blocks, mask, each, words } = look;
        const addressed = this.#blocks.map((_, at) => at).filter((at) => (at & mask) === (blocks & mask));
        for (const [turn, at] of addressed.entries())
          for (let k = 0; k < count; k++)
            this.#blocks[at]!.writeBroadcast(
              addr + k * widthOf(long),
              long,
              words[each ? turn * count + k : k] ?? 0n,
            );
        return;
      }
      case 'RRN': {
        const { op, from, count, rounds } = look.reduction;
        shown(
          Array.from({ length: count }, (_, k) => {
            const words = this.#blocks.map((block) =>
              block.settled((read) =>
                read(0, { ...from, addr: from.addr + k * widthOf(from.long), step: 0 }, 0),
              ),
            );
            return floatOf(/^\d+$/.test(op) ? words[Number(op)]! : treeOf(op, words, rounds));
          }),
        );
        return;
      }
      case 'print': {
        const { block, pe, format, place, count } = look;
        const words = this.#blocks[block]!.settled((read) =>
          Array.from({ length: count }, (_, k) => read(pe, place, k)),
        );
        shown(words.map((word) => shownAs(word, format, place.long)));
        return;
      }
      case 'DBG': {
        const { of, block, pe, from, to } = look;
        const kind = { BM: 'bm', TREG: 't', GRF: 'grf', LM: 'lm' }[of] as Place['kind'];
        shown(
          this.#blocks[block]!.settled((read, masks) =>
            of === 'MREG'
              ? masks(pe, from).map(Number)
              : Array.from({ length: to - from + 1 }, (_, at) =>
                  digits(
                    read(pe, { kind, addr: 2 * (from + at), long: true, step: 0 }, kind === 't' ? at : 0),
                    true,
                  ),
                ),
          ),
        );
      }
    }
  }
}

/** A reduction under way. */
interface Reducing {
  readonly op: PlainReduction;
  readonly begins: number;
  readAt: number;
  asked: number;
}

/** What the host asks the control processor for. */
interface Work {
  readonly before: readonly Step[];
  readonly passes: number;
  readonly body: (pass: number) => readonly Step[];
  readonly after: readonly Step[];
  readonly resets: boolean;
  readonly rewinds: boolean;
}

const none: Work = { before: [], passes: 0, body: () => [], after: [], resets: false, rewinds: false };

const digits = (word: bigint, long: boolean): string =>
  long ? word.toString(16).padStart(18, '0') : (word >> 36n).toString(16).padStart(9, '0');

const floatOf = (word: bigint): number =>
  hostValueOf('flt72to64', hostBits('flt72to64', '', word)![0]!) as number;

function shownAs(word: bigint, format: string, long: boolean): Value {
  if (format === 'f') return floatOf(word);
  if (format === 'h') return digits(word, long);
  const [bits, value] = long ? [72n, word] : [36n, word >> 36n];
  return (value >> (bits - 1n) === 1n ? value - (1n << bits) : value).toString();
}
