import { type Mailbox, wordBytesMax } from './mailbox.ts';
import type { Task } from './task.ts';

/**
 * Ranks of the job that call collectives together, with ranks of their own (TCA specification 20, C21): what they say to each other reaches no other team.
 *
 * Details: `rank` and the ranks that the calls take are those of the team.
 */
export class Team {
  readonly #mail: Mailbox;
  readonly #members: readonly number[];
  #sequence = 0;

  /** `number` is the same at all members and no two teams of two nodes share one; `members` are ranks of the job in the order of the team. */
  constructor(
    mail: Mailbox,
    readonly number: number,
    members: readonly number[],
    readonly rank: number,
  ) {
    this.#mail = mail;
    this.#members = members;
  }

  /** How many nodes there are in the team. */
  get nodes(): number {
    return this.#members.length;
  }

  /** The rank in the job of a rank of the team. Errors: throws for one that the team does not have. */
  jobRankOf(rank: number): number {
    const found = this.#members[rank];
    if (found === undefined)
      throw new Error(
        `found rank ${rank} in a team of ${this.nodes}: expected one of 0 to ${this.nodes - 1}`,
      );
    return found;
  }

  /** The name of the next operation, the same at all members. */
  next(): number {
    return this.#sequence++;
  }

  /** Sends bytes to a member in a step of an operation. */
  send(to: number, sequence: number, step: number, bytes: Uint8Array): Task<void> {
    const name = { team: this.number, sequence, step };
    return this.#mail.send(this.jobRankOf(to), name, bytes);
  }

  /** As `send`, in one short message where the bytes fit: whole words. */
  sendQuickly(to: number, sequence: number, step: number, bytes: Uint8Array): Task<void> {
    if (bytes.length > wordBytesMax) return this.send(to, sequence, step, bytes);
    return this.#mail.sendWords(this.jobRankOf(to), { team: this.number, sequence, step }, bytes);
  }

  /** Waits for what a member sends in a step of an operation. */
  receive(from: number, sequence: number, step: number): Task<Uint8Array> {
    return this.#mail.receive(this.jobRankOf(from), { team: this.number, sequence, step });
  }

  /** Waits for all members: everybody tells somebody further on, in growing steps. */
  *meet(): Task<void> {
    const { rank, nodes } = this;
    const sequence = this.next();
    for (let step = 1; step < nodes; step *= 2) {
      yield* this.sendQuickly((rank + step) % nodes, sequence, step, new Uint8Array(0));
      yield* this.receive((rank - step + nodes) % nodes, sequence, step);
    }
  }

  /** A piece of every member at every member, one behind the other, all of one length: recursive doubling for powers of two, round a ring otherwise. */
  *piecesOfAll(sequence: number, own: Uint8Array): Task<Uint8Array> {
    const { rank, nodes } = this;
    const bytes = own.length;
    const all = new Uint8Array(nodes * bytes);
    all.set(own, rank * bytes);
    if (Number.isInteger(Math.log2(nodes)))
      for (let step = 1; step < nodes; step *= 2) {
        const partner = rank ^ step;
        const first = (rank & ~(step - 1)) * bytes;
        yield* this.send(partner, sequence, step, all.slice(first, first + step * bytes));
        all.set(yield* this.receive(partner, sequence, step), (partner & ~(step - 1)) * bytes);
      }
    else
      for (let step = 1; step < nodes; step++) {
        const passed = ((rank - step + 1 + nodes) % nodes) * bytes;
        yield* this.send((rank + 1) % nodes, sequence, step, all.slice(passed, passed + bytes));
        const from = (rank - 1 + nodes) % nodes;
        all.set(yield* this.receive(from, sequence, step), ((rank - step + nodes) % nodes) * bytes);
      }
    return all;
  }
}
