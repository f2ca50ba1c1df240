import type { Message } from './message.ts';

/**
 * The messages of one tick, in the order of posting, and which of them may be delivered next.
 *
 * Details: a channel is an ordered pair (from, to) and is first in, first out, so what may be delivered is the oldest message of each
 * channel. In first-come order nothing but the queue is needed. When somebody asks for the `heads`, they are found and kept up from then on
 * until the agenda is empty.
 */
export class Agenda {
  #queue: Message[] = [];
  #first = 0;
  /** One past the newest message. What lies behind it in the array is left over and will be overwritten: shortening an array costs more. */
  #end = 0;
  #choosing = false;
  /** The oldest message of each channel, oldest first. */
  readonly #heads: Message[] = [];
  /** For each head what waits behind it in its channel, oldest first; undefined where nothing does. */
  readonly #behind: (Message[] | undefined)[] = [];
  #waiting = 0;

  get size(): number {
    return this.#choosing ? this.#heads.length + this.#waiting : this.#end - this.#first;
  }

  add(message: Message): void {
    if (this.#choosing) this.#place(message);
    else this.#queue[this.#end++] = message;
  }

  /** Takes the oldest message. */
  next(): Message {
    if (this.#choosing) return this.take(0);
    const message = this.#queue[this.#first++]!;
    if (this.#first === this.#end) {
      this.#first = 0;
      this.#end = 0;
    } else if (this.#first === 4096) {
      this.#queue.splice(0, this.#first);
      this.#end -= this.#first;
      this.#first = 0;
    }
    return message;
  }

  /** The oldest message of each channel, oldest first. Valid until the agenda changes. */
  heads(): readonly Message[] {
    if (!this.#choosing) {
      this.#choosing = true;
      for (let i = this.#first; i < this.#end; i++) this.#place(this.#queue[i]!);
      this.#first = 0;
      this.#end = 0;
    }
    return this.#heads;
  }

  /** Takes the head at an index of `heads`. */
  take(index: number): Message {
    const heads = this.#heads;
    const behind = this.#behind;
    const message = heads[index]!;
    const waiting = behind[index];
    // By hand: `splice` makes a list of what it takes out.
    const last = heads.length - 1;
    for (let at = index; at < last; at++) {
      heads[at] = heads[at + 1]!;
      behind[at] = behind[at + 1];
    }
    if (waiting === undefined) {
      heads.pop();
      behind.pop();
      if (last === 0) this.#choosing = false;
      return message;
    }
    // The next message of the channel becomes a head.
    const next = waiting.shift()!;
    this.#waiting--;
    let at = last;
    for (; at > 0 && heads[at - 1]!.seq > next.seq; at--) {
      heads[at] = heads[at - 1]!;
      behind[at] = behind[at - 1];
    }
    heads[at] = next;
    behind[at] = waiting.length > 0 ? waiting : undefined;
    return message;
  }

  /** Takes out a message that will not be delivered, if it is here. Returns true when it was. */
  remove(message: Message): boolean {
    const left = this.messages.filter((one) => one !== message);
    if (left.length === this.size) return false;
    this.#queue = left;
    this.#first = 0;
    this.#end = left.length;
    this.#heads.length = 0;
    this.#behind.length = 0;
    this.#waiting = 0;
    this.#choosing = false;
    return true;
  }

  /** What is left, in the order of posting. */
  get messages(): readonly Message[] {
    if (!this.#choosing) return this.#queue.slice(this.#first, this.#end);
    return [...this.#heads, ...this.#behind.flatMap((waiting) => waiting ?? [])].sort(
      (a, b) => a.seq - b.seq,
    );
  }

  #place(message: Message): void {
    const heads = this.#heads;
    for (let i = heads.length - 1; i >= 0; i--) {
      const head = heads[i]!;
      if (head.to === message.to && head.from === message.from && head.timer === message.timer) {
        const behind = this.#behind[i];
        if (behind) behind.push(message);
        else this.#behind[i] = [message];
        this.#waiting++;
        return;
      }
    }
    heads.push(message);
    this.#behind.push(undefined);
  }
}

/**
 * What is due when. Ticks without a message cost nothing: the clock jumps to the next tick that has one.
 *
 * Details: the agendas of this tick and the next are at hand, since nearly all messages go there; the others are found through a binary
 * heap of ticks. Emptied agendas are used again.
 */
export class Calendar {
  /** The tick of `current`. */
  now = 0;
  #current = new Agenda();
  #following = new Agenda();
  readonly #later = new Map<number, Agenda>();
  readonly #ticks: number[] = [];
  readonly #spare: Agenda[] = [];

  /** The agenda of the tick that is being carried out. */
  get current(): Agenda {
    return this.#current;
  }

  add(message: Message): void {
    if (message.due === this.now) this.#current.add(message);
    else if (message.due === this.now + 1) this.#following.add(message);
    else this.#agenda(message.due).add(message);
  }

  /** Takes out a message that will not be delivered. */
  remove(message: Message): void {
    const { due } = message;
    if (due === this.now) this.#current.remove(message);
    else if (due === this.now + 1) this.#following.remove(message);
    else {
      const agenda = this.#later.get(due);
      agenda?.remove(message);
      if (agenda?.size !== 0) return;
      this.#later.delete(due);
      const left = this.#ticks.filter((tick) => tick !== due);
      this.#ticks.length = 0;
      for (const tick of left) push(this.#ticks, tick);
    }
  }

  /** The next tick that has a message, after the current one; undefined when the calendar is empty. */
  get upcoming(): number | undefined {
    return this.#following.size > 0 ? this.now + 1 : this.#ticks[0];
  }

  /** Moves on to a later tick. The current agenda must be empty. */
  advance(tick: number): void {
    this.#spare.push(this.#current);
    if (tick === this.now + 1) {
      this.#current = this.#following;
      this.#following = this.#take(tick + 1) ?? this.#fresh();
    } else {
      this.#current = this.#take(tick) ?? this.#fresh();
      const next = this.#take(tick + 1);
      if (next) {
        this.#spare.push(this.#following);
        this.#following = next;
      }
    }
    this.now = tick;
  }

  /** Forgets everything and stands at `tick`. */
  clear(tick: number): void {
    this.now = tick;
    this.#current = new Agenda();
    this.#following = new Agenda();
    this.#later.clear();
    this.#ticks.length = 0;
  }

  /** Every message not delivered yet, by tick and then by posting. */
  get messages(): readonly Message[] {
    const later = [...this.#later.entries()]
      .sort(([a], [b]) => a - b)
      .flatMap(([, agenda]) => agenda.messages);
    return [...this.#current.messages, ...this.#following.messages, ...later];
  }

  #agenda(tick: number): Agenda {
    const known = this.#later.get(tick);
    if (known) return known;
    const made = this.#fresh();
    this.#later.set(tick, made);
    push(this.#ticks, tick);
    return made;
  }

  #fresh(): Agenda {
    return this.#spare.pop() ?? new Agenda();
  }

  #take(tick: number): Agenda | undefined {
    if (this.#ticks[0] !== tick) return undefined;
    pop(this.#ticks);
    const agenda = this.#later.get(tick)!;
    this.#later.delete(tick);
    return agenda;
  }
}

function push(heap: number[], tick: number): void {
  let at = heap.length;
  heap.push(tick);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= tick) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = tick;
}

function pop(heap: number[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= last) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
}
