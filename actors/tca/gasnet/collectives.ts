import { placeOf } from '../address-map.ts';
import type { Gasnet } from './gasnet.ts';
import type { Mailbox } from './mailbox.ts';
import type { Task } from './task.ts';
import { Team } from './team.ts';

/** Who must have come before data moves, and who must be done when a call returns (TCA specification 12.6). */
export type Synchronisation = 'none' | 'my' | 'all';

/** Flags of a collective call. */
export interface CollectiveOptions {
  readonly in?: Synchronisation;
  readonly out?: Synchronisation;
}

/** Puts two elements together; the left one is that of lower ranks. */
export type Combine = (left: Uint8Array, right: Uint8Array) => Uint8Array;

/** The number of the next team that this node is in. */
interface TeamNumbers {
  next: number;
}

/**
 * Collective operations (TCA specification 12.6): every node calls each of them, in the same order.
 *
 * Details: addresses are those of the node that calls, so that single and local addressing are alike: each node names its own memory, and only the
 * root's source or target is looked at where there is a root. With `in` or `out` at `all` a barrier of its own stands before or behind. `split` gives
 * those of a team, whose ranks count from 0.
 */
export class Collectives {
  readonly #gasnet: Gasnet;
  readonly #mail: Mailbox;
  readonly #team: Team;
  readonly #numbers: TeamNumbers;

  private constructor(gasnet: Gasnet, mail: Mailbox, team: Team, numbers: TeamNumbers) {
    this.#gasnet = gasnet;
    this.#mail = mail;
    this.#team = team;
    this.#numbers = numbers;
  }

  /** The collectives of all nodes. */
  static ofAll(gasnet: Gasnet, mail: Mailbox): Collectives {
    const members = Array.from({ length: gasnet.nodes }, (_, rank) => rank);
    return new Collectives(gasnet, mail, new Team(mail, 0, members, gasnet.rank), { next: 1 });
  }

  /** The rank of this node among those that call. */
  get rank(): number {
    return this.#team.rank;
  }

  /** How many call. */
  get nodes(): number {
    return this.#team.nodes;
  }

  /** The rank in the job of one of those that call. */
  jobRankOf(rank: number): number {
    return this.#team.jobRankOf(rank);
  }

  /**
   * Parts those that call into teams: nodes with the same colour are one, in the order of their keys, of equal keys in that of their ranks.
   *
   * Details: every node calls it. Colours and keys are whole numbers from 0 to 2^32 - 1. A node may be in several teams.
   */
  *split(color: number, key: number): Task<Collectives> {
    const { rank } = this.#team;
    const own = new Uint8Array(Uint32Array.of(color, key, this.#numbers.next).buffer);
    const words = new Uint32Array((yield* this.#team.piecesOfAll(this.#team.next(), own)).buffer);
    const told = Array.from({ length: this.nodes }, (_, one) => ({
      one,
      color: words[3 * one]!,
      key: words[3 * one + 1]!,
      number: words[3 * one + 2]!,
    }));
    // A number that none of them has given yet: messages of two teams never go by one name.
    const number = Math.max(...told.map((other) => other.number));
    this.#numbers.next = number + 1;
    const members = told.filter((other) => other.color === color).sort((a, b) => a.key - b.key);
    const team = new Team(
      this.#mail,
      number,
      members.map(({ one }) => this.#team.jobRankOf(one)),
      members.findIndex(({ one }) => one === rank),
    );
    return new Collectives(this.#gasnet, this.#mail, team, this.#numbers);
  }

  /** Waits for all that call. */
  *barrier(): Task<void> {
    yield* this.#team.meet();
  }

  /** The bytes of the root at every node: a binomial tree. */
  *broadcast(
    root: number,
    dst: number,
    src: number,
    bytes: number,
    options: CollectiveOptions = {},
  ): Task<void> {
    const sequence = yield* this.#enter(options);
    const { rank, nodes } = this.#team;
    const own = (rank - root + nodes) % nodes;
    const reach = 2 ** Math.ceil(Math.log2(nodes));
    // The lowest bit that is set tells from whom a node hears.
    const lowest = own === 0 ? reach : own & -own;
    const data =
      own === 0
        ? yield* this.#gasnet.read(src, bytes)
        : yield* this.#team.receive((own - lowest + root) % nodes, sequence, 0);
    for (let step = lowest / 2; step >= 1; step /= 2)
      if (own + step < nodes) yield* this.#team.send((own + step + root) % nodes, sequence, 0, data);
    yield* this.#gasnet.write(dst, data);
    yield* this.#leave(options);
  }

  /** The bytes of all nodes at the root, in the order of ranks. */
  *gather(
    root: number,
    dst: number,
    src: number,
    bytes: number,
    options: CollectiveOptions = {},
  ): Task<void> {
    const sequence = yield* this.#enter(options);
    const { rank, nodes } = this.#team;
    const own = yield* this.#gasnet.read(src, bytes);
    if (rank !== root) yield* this.#team.send(root, sequence, 0, own);
    else
      for (let source = 0; source < nodes; source++) {
        const data = source === root ? own : yield* this.#team.receive(source, sequence, 0);
        yield* this.#gasnet.write(dst + source * bytes, data);
      }
    yield* this.#leave(options);
  }

  /** To each node its share of the root's bytes, in the order of ranks. */
  *scatter(
    root: number,
    dst: number,
    src: number,
    bytes: number,
    options: CollectiveOptions = {},
  ): Task<void> {
    const sequence = yield* this.#enter(options);
    const { rank, nodes } = this.#team;
    if (rank === root)
      for (let target = 0; target < nodes; target++) {
        const share = yield* this.#gasnet.read(src + target * bytes, bytes);
        if (target === root) yield* this.#gasnet.write(dst, share);
        else yield* this.#team.send(target, sequence, 0, share);
      }
    else yield* this.#gasnet.write(dst, yield* this.#team.receive(root, sequence, 0));
    yield* this.#leave(options);
  }

  /** The bytes of all nodes at all nodes: recursive doubling for powers of two, round a ring otherwise. */
  *gatherAll(dst: number, src: number, bytes: number, options: CollectiveOptions = {}): Task<void> {
    const sequence = yield* this.#enter(options);
    const own = yield* this.#gasnet.read(src, bytes);
    const all = yield* this.#team.piecesOfAll(sequence, own);
    yield* this.#gasnet.write(dst, all);
    yield* this.#leave(options);
  }

  /** Share k of each node goes to node k: pair after pair. */
  *exchange(dst: number, src: number, bytes: number, options: CollectiveOptions = {}): Task<void> {
    const sequence = yield* this.#enter(options);
    const { rank, nodes } = this.#team;
    yield* this.#gasnet.write(dst + rank * bytes, yield* this.#gasnet.read(src + rank * bytes, bytes));
    for (let step = 1; step < nodes; step++) {
      const [to, from] = [(rank + step) % nodes, (rank - step + nodes) % nodes];
      yield* this.#team.send(to, sequence, step, yield* this.#gasnet.read(src + to * bytes, bytes));
      yield* this.#gasnet.write(dst + from * bytes, yield* this.#team.receive(from, sequence, step));
    }
    yield* this.#leave(options);
  }

  /** The elements of all nodes put together at the root, in the order of ranks: a binomial tree, whose top is rank 0. */
  *reduce(
    root: number,
    dst: number,
    src: number,
    bytes: number,
    combine: Combine,
    options: CollectiveOptions = {},
  ): Task<void> {
    const sequence = yield* this.#enter(options);
    const { rank, nodes } = this.#team;
    let data = yield* this.#gasnet.read(src, bytes);
    for (let step = 1; step < nodes; step *= 2) {
      if ((rank & step) !== 0) {
        yield* this.#team.send(rank - step, sequence, step, data);
        break;
      }
      if (rank + step < nodes) data = combine(data, yield* this.#team.receive(rank + step, sequence, step));
    }
    if (rank === 0 && root !== 0) yield* this.#team.send(root, sequence, 0, data);
    if (rank === root) {
      const whole = root === 0 ? data : yield* this.#team.receive(0, sequence, 0);
      yield* this.#gasnet.write(dst, whole);
    }
    yield* this.#leave(options);
  }

  /** At each node the elements of the ranks up to its own put together, in their order. */
  *scan(
    dst: number,
    src: number,
    bytes: number,
    combine: Combine,
    options: CollectiveOptions = {},
  ): Task<void> {
    const sequence = yield* this.#enter(options);
    const { rank, nodes } = this.#team;
    let data = yield* this.#gasnet.read(src, bytes);
    for (let step = 1; step < nodes; step *= 2) {
      if (rank + step < nodes) yield* this.#team.send(rank + step, sequence, step, data);
      if (rank - step >= 0) data = combine(yield* this.#team.receive(rank - step, sequence, step), data);
    }
    yield* this.#gasnet.write(dst, data);
    yield* this.#leave(options);
  }

  /**
   * The sum of at most 8 floats or doubles of every node at every node (TCA specification 12.6): what Himeno tests for convergence with.
   *
   * Details: from GPU memory and back through the chip; in step k the words go by PIO to the rank 2^k further on. Errors: throws when the number of
   * nodes is no power of two, which such a sum needs.
   */
  *allreduceSum(address: number, count: number, kind: 'float' | 'double'): Task<void> {
    const { rank, nodes } = this.#team;
    const bytes = count * (kind === 'float' ? 4 : 8);
    if (!Number.isInteger(Math.log2(nodes)))
      throw new Error(`found ${nodes} nodes, expected a power of two: other sums count some nodes twice`);
    if (!Number.isInteger(count) || count > 8 || count < 1)
      throw new Error(`found ${count} elements, expected 1 to 8`);
    const sequence = this.#team.next();
    const inGpu = placeOf(address).region === 'gpu';
    const scratch = inGpu ? this.#gasnet.scratch + (address % 16) : address;
    if (inGpu) yield* this.#gasnet.copy(scratch, address, bytes);
    let data = yield* this.#gasnet.read(scratch, bytes);
    for (let step = 1; step < nodes; step *= 2) {
      const partner = (rank + step) % nodes;
      yield* this.#team.sendQuickly(partner, sequence, step, data);
      data = sum(data, yield* this.#team.receive((rank - step + nodes) % nodes, sequence, step), kind);
    }
    yield* this.#gasnet.write(scratch, data);
    if (inGpu) yield* this.#gasnet.copy(address, scratch, bytes);
  }

  *#enter({ in: synchronisation = 'my' }: CollectiveOptions): Task<number> {
    if (synchronisation === 'all') yield* this.#team.meet();
    return this.#team.next();
  }

  *#leave({ out: synchronisation = 'my' }: CollectiveOptions): Task<void> {
    if (synchronisation === 'all') yield* this.#team.meet();
  }
}

function sum(a: Uint8Array, b: Uint8Array, kind: 'float' | 'double'): Uint8Array {
  const bytes = new Uint8Array(a.length);
  const [left, right, both] = [a, b, bytes].map((one) => new DataView(one.buffer, one.byteOffset));
  const size = kind === 'float' ? 4 : 8;
  for (let at = 0; at < a.length; at += size)
    if (kind === 'float')
      both!.setFloat32(at, left!.getFloat32(at, true) + right!.getFloat32(at, true), true);
    else both!.setFloat64(at, left!.getFloat64(at, true) + right!.getFloat64(at, true), true);
  return bytes;
}
