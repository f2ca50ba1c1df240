import type { CellbeConfig, CellbePrograms, TimedEntry } from '../../../../machines/cell/cellbe-config.ts';

/** A record of what happens: its kind, its cycle, and everything it says, as one text that can be compared. */
export type Happening = { readonly t: number; readonly text: string };

/** Who took whose command into its queue in a cycle, in the order in which it was seen: `[element, issuer, command]`. */
export type AcceptsSeen = (t: number) => readonly (readonly [number, number, number])[];

interface Piece {
  readonly address: number;
  readonly size: number;
}

interface Command {
  readonly kind: 'get' | 'put';
  readonly local: number;
  readonly element: number;
  readonly pieces: readonly Piece[];
  readonly list: boolean;
  readonly tag: number;
}

/** A command that was given to an MFC. */
interface Given {
  readonly issuer: number;
  readonly number: number;
  readonly command: Command;
  /** Cycle in which the program asked for it, and in which it came to the MFC. */
  readonly asked: number;
  readonly came: number;
  /** Packets that have not arrived. */
  left: number;
}

/** One packet, its numbers as observers see them. */
interface Packet {
  readonly initiator: number;
  readonly issuer: number;
  readonly command: number;
  readonly part: number;
  readonly source: number;
  readonly target: number;
  readonly sourceAddress: number;
  readonly targetAddress: number;
  readonly size: number;
}

/** What an element does: its program and its MFC. */
interface Element {
  readonly entries: readonly TimedEntry[];
  at: number;
  /** What the program does, and until when. */
  state: 'running' | 'sleeping' | 'issuing' | 'waiting for a place' | 'waiting for tags' | 'over';
  until: number;
  asked: number;
  given: number;
  refused: boolean;
  /** Commands without a place, those that wait for their preparation, and all that are not complete. */
  parked: Given[];
  queued: Given[];
  /** How many were accepted in this cycle. */
  accepted: number;
  open: Given[];
  current: Given | undefined;
  /** Cycle in which the present piece is prepared; -1 when it is being cut. */
  ready: number;
  piece: number;
  cut: number;
  before: number;
  part: number;
  credits: number;
}

/** A packet that may start, from the cycle after `since` on. */
interface Starter {
  readonly packet: Packet;
  readonly since: number;
}

/** Bytes of a store. */
interface Touched extends Piece {
  readonly element: number;
  readonly written: boolean;
}

interface Riding {
  readonly ring: number;
  readonly dir: number;
  readonly links: readonly string[];
  readonly hops: number;
  readonly start: number;
  readonly hold: number;
  readonly packet: Packet;
}

/**
 * The Element Interconnect Bus as one plain loop over its cycles, by the letter of its rules (Cell specification 19.1 to 19.3, and what the docstrings of the bus say
 * where the specification is silent).
 *
 * Details: shares no code with the actors and keeps no alarms: every cycle everybody is asked. Knows programs that are data. Which of two commands that come to one MFC in one
 * cycle is first is open, so that is taken from the run.
 */
export class ReferenceBus {
  readonly happenings: Happening[] = [];
  /** Whether the contents of stores are certain: no byte was touched twice in a cycle, one of them a write. */
  certain = true;
  readonly refused: number[] = [];
  readonly #config: CellbeConfig;
  readonly #acceptsSeen: AcceptsSeen;
  readonly #elements: readonly Element[];
  readonly #bytes: readonly Uint8Array[];
  /** Offers of commands by initiator; who is served next. */
  #offers: { readonly packet: Packet; readonly t: number }[] = [];
  #commandTurns: number[];
  #starters: Starter[] = [];
  #startTurns: number[];
  #riding: Riding[] = [];
  #arriving: { readonly t: number; readonly packet: Packet; readonly bytes: Uint8Array }[] = [];
  /** Ranges of bytes that were read or written in this cycle. */
  #touched: Touched[] = [];
  readonly #sent: number[];
  readonly #received: number[];
  readonly #latencies: number[] = [];
  #packets = 0;
  #last = 0;
  readonly #rings: { packets: number; linkCycles: number }[];

  constructor(config: CellbeConfig, programs: CellbePrograms, accepts: AcceptsSeen) {
    this.#config = config;
    this.#acceptsSeen = accepts;
    const { elements, ringsPerDirection } = config;
    this.#bytes = elements.map((_, element) =>
      Uint8Array.from({ length: this.#storeBytes(element) }, (_none, address) =>
        config.memory === 'zero' ? 0 : element * 167 + address * 13 + Math.floor(address / 256) * 7 + 1,
      ),
    );
    this.#elements = elements.map((name, element) => {
      const key = Object.keys(programs).find((one) => one === name || Number(one) === element);
      const program = key === undefined ? [] : programs[key]!;
      return {
        entries: Array.isArray(program) ? program : [],
        at: 0,
        state: 'running',
        until: 0,
        asked: 0,
        given: 0,
        refused: false,
        parked: [],
        queued: [],
        accepted: 0,
        open: [],
        current: undefined,
        ready: -1,
        piece: 0,
        cut: 0,
        before: 0,
        part: 0,
        credits: config.commandCredits,
      };
    });
    const ordinary = elements.map((_, element) => element).filter((one) => !this.#first().includes(one));
    this.#commandTurns = [...ordinary];
    this.#startTurns = [...ordinary];
    this.#sent = elements.map(() => 0);
    this.#received = elements.map(() => 0);
    this.#rings = Array.from({ length: 2 * ringsPerDirection }, () => ({ packets: 0, linkCycles: 0 }));
  }

  /** Carries out all cycles up to and including `end`, or to the end of everything. */
  run(end: number): void {
    for (let t = 0; t <= end && !this.#isOver(); t = this.#next(t)) this.#cycle(t);
  }

  /** The figures of the run, as the result has them; those of the stores where they are certain. */
  result(): object {
    const { elements, busClockGHz, coreClockGHz, calibrated, calibration, ringsPerDirection } = this.#config;
    const seconds = this.#last / (busClockGHz * (calibrated ? calibration.efficiency : 1) * 1e9);
    const rate = (bytes: number) => (seconds === 0 ? 0 : bytes / seconds / 1e9);
    const bytes = this.#received.reduce((sum, one) => sum + one, 0);
    const latencies = this.#latencies;
    const mean = latencies.reduce((sum, one) => sum + one, 0) / Math.max(1, latencies.length);
    const none = latencies.length === 0;
    const spread = { min: none ? 0 : Math.min(...latencies), mean, max: Math.max(0, ...latencies) };
    const clock = busClockGHz * (calibrated ? calibration.efficiency : 1);
    const times = (factor: number) => ({
      min: spread.min * factor,
      mean: spread.mean * factor,
      max: spread.max * factor,
    });
    return {
      busCycles: this.#last,
      seconds,
      bytes,
      GBps: rate(bytes),
      elements: elements.map((element, at) => ({
        element,
        sentBytes: this.#sent[at]!,
        receivedBytes: this.#received[at]!,
        sentGBps: rate(this.#sent[at]!),
        receivedGBps: rate(this.#received[at]!),
      })),
      commands: latencies.length,
      packets: this.#packets,
      rings: this.#rings.map(({ packets, linkCycles }, row) => ({
        dir: row < ringsPerDirection ? 0 : 1,
        ring: row % ringsPerDirection,
        packets,
        occupation: this.#last === 0 ? 0 : linkCycles / (elements.length * this.#last),
      })),
      latency: { busCycles: spread, coreCycles: times(coreClockGHz / clock), ns: times(1 / clock) },
      ...(this.certain && { memHash: hashOf(this.#bytes) }),
      incomplete: this.#elements.some(({ open }) => open.length > 0),
      exceptions: elements.filter((_, element) => this.#elements[element]!.refused),
    };
  }

  #storeBytes(element: number): number {
    const { elements, localStoreBytes, memoryBytes } = this.#config;
    return elements[element]!.slice(0, 3) === 'SPE' ? localStoreBytes : memoryBytes;
  }

  #first(): readonly number[] {
    return this.#config.priority.map((name) => this.#config.elements.indexOf(name));
  }

  #isOver(): boolean {
    return (
      this.#offers.length + this.#starters.length + this.#arriving.length === 0 &&
      this.#elements.every(
        ({ state, open, queued, parked, current, ready }) =>
          (state === 'over' || state === 'waiting for a place' || state === 'waiting for tags') &&
          open.length + queued.length + parked.length === 0 &&
          (current === undefined || ready < 0),
      )
    );
  }

  /** The next cycle: the one after this; where all wait for a moment that is known, that moment. */
  #next(t: number): number {
    if (this.#offers.length + this.#starters.length > 0) return t + 1;
    const moments = [
      ...this.#arriving.map((one) => one.t),
      ...this.#elements.flatMap(({ state, until, ready }) => [
        ...(state === 'sleeping' || state === 'issuing' ? [until] : []),
        ...(ready >= 0 ? [ready] : []),
      ]),
    ];
    return Math.max(t + 1, Math.min(...moments));
  }

  #cycle(t: number): void {
    this.#touched = [];
    for (const element of this.#elements) element.accepted = 0;
    this.#takeCommands(t);
    this.#startPackets(t);
    const arrived = this.#arriving.filter((one) => one.t === t);
    this.#arriving = this.#arriving.filter((one) => one.t !== t);
    for (const { packet, bytes } of arrived) this.#arrive(packet, bytes, t);
    // Messages without delay: everybody goes on as long as anybody can. Who came first to an MFC in a cycle is known when all have come.
    while (this.#anybodyGoesOn(t));
    for (const [number, element] of this.#elements.entries()) while (this.#mfcGoesOn(number, element, t));
  }

  /** Lets a program do what it can, or gives a place to somebody. Returns whether anything was done. */
  #anybodyGoesOn(t: number): boolean {
    const elements = this.#elements;
    for (let one = 0; one < elements.length; one++)
      if (this.#programGoesOn(one, elements[one]!, t)) return true;
    for (const asSeen of [true, false])
      for (let one = 0; one < elements.length; one++)
        if (this.#accepts(one, elements[one]!, t, asSeen)) return true;
    return false;
  }

  /** The command bus: so many commands a cycle, of those offered in cycles before, one an element in turn. */
  #takeCommands(t: number): void {
    if (this.#offers.length === 0) return;
    for (let taken = 0; taken < this.#config.commandsPerBusCycle; taken++) {
      const order = [...this.#first(), ...this.#commandTurns];
      const element = order.find((one) => this.#offers.some((o) => o.packet.initiator === one && o.t < t));
      if (element === undefined) return;
      const offer = this.#offers.find((o) => o.packet.initiator === element)!;
      this.#offers = this.#offers.filter((one) => one !== offer);
      this.#commandTurns = lastInTurn(this.#commandTurns, element);
      this.#happened(t, 'COMMAND', offer.packet);
      this.#starters.push({ packet: offer.packet, since: t + this.#config.commandLatencyBusCycles - 2 });
    }
  }

  /** The data arbiter: one packet an element, the oldest, where there is a path. */
  #startPackets(t: number): void {
    if (this.#starters.length === 0) return;
    for (const element of [...this.#first(), ...this.#startTurns]) {
      const oldest = this.#starters
        .filter(({ packet }) => packet.source === element)
        .reduce<Starter | undefined>(
          (best, one) => (best && best.since <= one.since ? best : one),
          undefined,
        );
      if (!oldest || oldest.since >= t || !this.#start(oldest.packet, t)) continue;
      this.#starters = this.#starters.filter((one) => one !== oldest);
      this.#startTurns = lastInTurn(this.#startTurns, element);
    }
  }

  #start(packet: Packet, t: number): boolean {
    const { elements, maxHops, ringsPerDirection, maxPerRing, ringStartGapBusCycles } = this.#config;
    const { calibrated, calibration, bytesPerBusCycle, beatsPerPacket } = this.#config;
    const N = elements.length;
    const beats = Math.ceil(packet.size / bytesPerBusCycle);
    const ports = this.#portsOf(packet);
    for (const other of this.#riding) {
      const busy = other.start + Math.ceil(other.packet.size / bytesPerBusCycle) > t;
      if (busy && this.#portsOf(other.packet).some((port) => ports.includes(port))) return false;
    }
    const up = (packet.target - packet.source + N) % N;
    const ways = [
      { dir: 0, hops: up },
      { dir: 1, hops: N - up },
    ];
    ways.sort((a, b) => a.hops - b.hops || a.dir - b.dir);
    for (const { dir, hops } of ways) {
      if (hops > maxHops) continue;
      const links: string[] = [];
      for (let at = packet.source; at !== packet.target; ) {
        const next = (at + (dir === 0 ? 1 : N - 1)) % N;
        links.push(`${at} to ${next}`);
        at = next;
      }
      for (let ring = 0; ring < ringsPerDirection; ring++) {
        const past = this.#riding.filter((one) => one.dir === dir && one.ring === ring);
        if (past.some((one) => one.start + ringStartGapBusCycles > t)) continue;
        const now = past.filter((one) => one.start + one.hold > t);
        if (now.length >= maxPerRing) continue;
        if (now.some((one) => one.links.some((link) => links.includes(link)))) continue;
        const sum = now.reduce((total, one) => total + one.hops, hops);
        if (calibrated && now.length > 0 && sum > calibration.maxHopSumPerRing) continue;
        const longer = calibrated && hops === maxHops ? calibration.sixHopHoldCycles - beatsPerPacket : 0;
        const hold = beats + longer;
        this.#riding = this.#riding.filter(
          (one) => one.start + Math.max(one.hold, beatsPerPacket, ringStartGapBusCycles) > t,
        );
        this.#riding.push({ ring, dir, links, hops, start: t, hold, packet });
        this.#happened(t, 'START', packet, `dir ${dir} ring ${ring} beats ${beats} hold ${hold}`);
        const row = this.#rings[dir * ringsPerDirection + ring]!;
        row.packets++;
        row.linkCycles += hops * hold;
        this.#send(packet, t, beats);
        return true;
      }
    }
    return false;
  }

  /** A packet holds the sending port of its source and the receiving one of its target; some elements have one for both. */
  #portsOf({ source, target }: Packet): readonly string[] {
    const shared = (element: number) => this.#config.sharedPort.includes(this.#config.elements[element]!);
    return [
      shared(source) ? `of ${source}` : `from ${source}`,
      shared(target) ? `of ${target}` : `to ${target}`,
    ];
  }

  #send(packet: Packet, t: number, beats: number): void {
    const { source, sourceAddress, size } = packet;
    this.#touch({ element: source, address: sourceAddress, size, written: false });
    const bytes = this.#bytes[source]!.slice(sourceAddress, sourceAddress + size);
    this.#sent[source] = this.#sent[source]! + size;
    this.#arriving.push({ t: t + beats + this.#config.dataPipelineBusCycles, packet, bytes });
  }

  #touch(range: Touched): void {
    const { element, address, size, written } = range;
    for (const other of this.#touched)
      if (
        other.element === element &&
        (other.written || written) &&
        other.address < address + size &&
        address < other.address + other.size
      )
        this.certain = false;
    this.#touched.push(range);
  }

  #arrive(packet: Packet, bytes: Uint8Array, t: number): void {
    const { target, targetAddress, initiator, issuer, command, size } = packet;
    this.#touch({ element: target, address: targetAddress, size, written: true });
    this.#bytes[target]!.set(bytes, targetAddress);
    this.#received[target] = this.#received[target]! + size;
    this.#happened(t, 'ARRIVE', packet);
    const element = this.#elements[initiator]!;
    element.credits++;
    const open = element.open.find((one) => one.issuer === issuer && one.number === command)!;
    open.left--;
    if (open.left > 0) return;
    element.open = element.open.filter((one) => one !== open);
    this.#latencies.push(t - open.asked);
    this.#last = Math.max(this.#last, t);
    this.happenings.push({
      t,
      text: `COMPLETE command ${command} of ${issuer} by ${initiator}`,
    });
  }

  /** Lets a program do what it can. Returns whether it did anything. */
  #programGoesOn(number: number, element: Element, t: number): boolean {
    const entry = element.entries[element.at];
    switch (element.state) {
      case 'running':
        if (entry === undefined) element.state = 'over';
        else if (entry.cycle > t) {
          element.state = 'sleeping';
          element.until = entry.cycle;
        } else {
          element.asked = t;
          if (this.#refuses(number, entry)) {
            element.refused = true;
            element.state = 'over';
          } else if ('tags' in entry) element.state = 'waiting for tags';
          else {
            element.state = 'issuing';
            element.until = t + this.#config.issueBusCycles;
          }
        }
        return true;
      case 'sleeping':
        if (element.until > t) return false;
        element.state = 'running';
        return true;
      case 'issuing': {
        if (element.until > t) return false;
        const { on, command } = this.#wanted(number, entry!);
        const left = command.pieces.reduce((sum, piece) => sum + this.#packetsOf(piece), 0);
        const asked = element.asked;
        const given = { issuer: number, number: element.given++, command, asked, came: t, left };
        this.#elements[on]!.parked.push(given);
        element.state = 'waiting for a place';
        return true;
      }
      case 'waiting for tags': {
        const { tags } = entry as Extract<TimedEntry, { tags: unknown }>;
        if (element.open.some((one) => one.issuer === number && tags.includes(one.command.tag))) return false;
        element.at++;
        element.state = 'running';
        return true;
      }
      default:
        return false;
    }
  }

  /**
   * Gives a place to one who waits for it: the own program has its places, all others together have theirs; the oldest first. Of those that came in one cycle the one that was first in the run;
   * with `asSeen` nobody where that one has not come yet.
   */
  #accepts(number: number, element: Element, t: number, asSeen: boolean): boolean {
    if (element.parked.length === 0) return false;
    const { mfcQueue, mfcProxyQueue } = this.#config;
    const own = (one: Given) => one.issuer === number;
    const having = (one: Given) => {
      const taken = element.open.filter((other) => own(other) === own(one)).length;
      return taken < (own(one) ? mfcQueue : mfcProxyQueue);
    };
    const waiting = element.parked.filter(having);
    // Only among those of one kind does it matter who came in a cycle before.
    const oldest = waiting.filter((one) => !waiting.some((o) => own(o) === own(one) && o.came < one.came));
    const seen = this.#acceptsSeen(t).filter(([by]) => by === number)[element.accepted];
    const given =
      oldest.find((one) => seen?.[1] === one.issuer && seen[2] === one.number) ??
      (asSeen ? undefined : oldest[0]);
    if (!given) return false;
    element.accepted++;
    element.parked = element.parked.filter((one) => one !== given);
    element.queued.push(given);
    element.open.push(given);
    const { issuer, number: command, asked } = given;
    const bytes = given.command.pieces.reduce((sum, { size }) => sum + size, 0);
    this.happenings.push({
      t,
      text: `ACCEPT command ${command} of ${issuer} by ${number} bytes ${bytes} issued ${asked}`,
    });
    const unit = this.#elements[issuer]!;
    unit.at++;
    unit.state = 'running';
    return true;
  }

  /** Prepares and cuts commands. Returns whether it did anything. */
  #mfcGoesOn(number: number, element: Element, t: number): boolean {
    const { setupBusCycles, listFetchBusCycles } = this.#config;
    if (element.current === undefined) {
      const next = element.queued.shift();
      if (!next) return false;
      Object.assign(element, { current: next, piece: 0, cut: 0, before: 0, part: 0 });
      element.ready = t + setupBusCycles + (next.command.list ? listFetchBusCycles : 0);
      return true;
    }
    if (element.ready > t) return false;
    element.ready = -1;
    const { command, issuer, number: commandNumber } = element.current;
    const piece = command.pieces[element.piece]!;
    if (element.cut === piece.size) {
      if (element.piece === command.pieces.length - 1) element.current = undefined;
      else {
        element.before += element.cut;
        element.cut = 0;
        element.piece++;
        element.ready = t + listFetchBusCycles;
      }
      return true;
    }
    if (element.credits === 0) return false;
    element.credits--;
    this.#packets++;
    const there = piece.address + element.cut;
    const here = command.local + element.before + element.cut;
    const line = this.#config.packetBytes;
    const size = Math.min(piece.size - element.cut, line - (there % line));
    const put = command.kind === 'put';
    element.cut += size;
    const packet: Packet = {
      initiator: number,
      issuer,
      command: commandNumber,
      part: element.part++,
      source: put ? number : command.element,
      target: put ? command.element : number,
      sourceAddress: put ? here : there,
      targetAddress: put ? there : here,
      size,
    };
    this.#offers.push({ packet, t });
    return true;
  }

  /** How many packets a piece becomes: one for each line that it touches. */
  #packetsOf({ address, size }: Piece): number {
    const lines = new Set<number>();
    for (let at = address; at < address + size; at++) lines.add(Math.floor(at / this.#config.packetBytes));
    return lines.size;
  }

  #wanted(number: number, entry: TimedEntry): { readonly on: number; readonly command: Command } {
    if ('tags' in entry) throw new Error('a wait is no command');
    const { kind, local, element, tag = 0, on } = entry;
    const list = 'pieces' in entry;
    const pieces = list ? entry.pieces : [{ address: entry.address, size: entry.size }];
    const command = { kind, local, element: this.#numberOf(element), pieces, list, tag };
    return { on: on === undefined ? number : this.#numberOf(on), command };
  }

  #numberOf(name: string | number): number {
    const index = this.#config.elements.indexOf(String(name));
    return index >= 0 ? index : Number(name);
  }

  /** Whether an MFC cannot carry an entry out (19.1). */
  #refuses(number: number, entry: TimedEntry): boolean {
    const { tagGroups, maxDmaBytes, maxListElements } = this.#config;
    if ('tags' in entry) return entry.tags.some((tag) => tag >= tagGroups);
    const { on, command } = this.#wanted(number, entry);
    if (entry.on !== undefined && on === number) return true;
    const { element, pieces, tag } = command;
    if (element === on || tag >= tagGroups) return true;
    if (pieces.length === 0 || pieces.length > maxListElements) return true;
    let local = command.local;
    for (const { address, size } of pieces) {
      const small = [1, 2, 4, 8].includes(size);
      if (size > maxDmaBytes || (!small && size % 16 !== 0)) return true;
      for (const [where, at] of [
        [on, local],
        [element, address],
      ] as const)
        if (at + size > this.#storeBytes(where) || at % (small ? size : 16) !== 0) return true;
      local += size;
    }
    return false;
  }

  #happened(t: number, kind: string, packet: Packet, more = ''): void {
    this.happenings.push({ t, text: packetText(kind, packet, more) });
  }
}

/** A record about a packet. */
export function packetText(kind: string, packet: Packet, more = ''): string {
  const { initiator, issuer, command, part, source, target, sourceAddress, targetAddress, size } = packet;
  const what = `${kind} packet ${part} of command ${command} of ${issuer} by ${initiator}`;
  return `${what}: ${size} bytes from ${source} at ${sourceAddress} to ${target} at ${targetAddress} ${more}`.trim();
}

/** An element that was served goes to the end, where it has a turn at all. */
const lastInTurn = (turns: readonly number[], element: number): number[] =>
  turns.includes(element) ? [...turns.filter((one) => one !== element), element] : [...turns];

/** FNV-1a over all stores, element 0 first (18.2). */
function hashOf(stores: readonly Uint8Array[]): string {
  let hash = 0x811c9dc5;
  for (const store of stores) for (const byte of store) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
