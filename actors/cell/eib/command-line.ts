import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { EibSpec } from './eib-spec.ts';
import type { Packet } from './protocol.ts';
import { RoundRobin } from './round-robin.ts';

/** A command that waits, and the cycle in which it came. */
interface WaitingCommand {
  readonly packet: Packet;
  readonly since: number;
}

/** The commands that wait for the command bus, by initiator, and whose turn it is (Cell specification 19.1, 19.2). */
export class CommandLine implements Resource {
  /** Commands taken so far. */
  taken = 0;
  #waiting: WaitingCommand[][];
  #count = 0;
  #turns: RoundRobin;

  constructor(readonly spec: EibSpec) {
    this.#waiting = spec.elements.map(() => []);
    this.#turns = new RoundRobin(spec);
  }

  /** Commands that wait. */
  get count(): number {
    return this.#count;
  }

  /** A command that comes in cycle t takes a place behind the earlier ones of the same element. */
  add(packet: Packet, t: number): void {
    this.#waiting[packet.initiator]!.push({ packet, since: t });
    this.#count++;
  }

  /** Takes the commands of cycle t: at most `commandsPerBusCycle`, round robin among the elements whose command came before t. */
  take(t: number): readonly Packet[] {
    const packets: Packet[] = [];
    while (packets.length < this.spec.commandsPerBusCycle) {
      const element = this.#turns.order().find((one) => (this.#waiting[one]![0]?.since ?? t) < t);
      if (element === undefined) break;
      packets.push(this.#waiting[element]!.shift()!.packet);
      this.#turns.served(element);
      this.#count--;
      this.taken++;
    }
    return packets;
  }

  fork(): CommandLine {
    const copy = new CommandLine(this.spec);
    copy.taken = this.taken;
    copy.#waiting = this.#waiting.map((line) => [...line]);
    copy.#count = this.#count;
    copy.#turns = this.#turns.fork();
    return copy;
  }

  hash(into: Hasher): void {
    into.value(this.#waiting);
    this.#turns.hash(into);
    into.number(this.taken);
  }
}
