import type { Address, LockstepEvent, Message } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import type { Assembly, Given } from '../../../machines/machine.ts';
import type { TcaConfig, TcaPrograms } from '../../../machines/tca/config.ts';
import type { Reference } from '../../with-reference.ts';
import { nodeIn } from '../context.ts';
import type { Expected, PlainPart, PlainSetting, Send, Taken } from './plain-part.ts';
import { plainParts } from './plain-parts.ts';

/**
 * Compares every part of every node with a plain one: what it sends, to whom and in which tick (TCA specification 3 to 12).
 *
 * Details: a plain part takes what the part of the machine took, in the same order, so nothing is judged but the part itself.
 */
export const runsAsPlainParts: Reference = (run, given, assembly) => {
  const compared = new Compared(partsOf(run, given, assembly), (address) => run.nameOf(address));
  const stop = run.listen({ delivered: (message) => compared.delivered(message) });
  return () => {
    stop();
    return compared.wrong ?? compared.missing;
  };
};

/** The plain parts of a run, by address. */
function partsOf(run: Run, given: Given, { wiring }: Assembly): readonly (PlainPart | undefined)[] {
  // By node and by the rest of the name: parts ask for each other with each message.
  const nodes: Map<string, Address>[] = [];
  for (let address = 0; address < wiring.placements.length; address++) {
    const name = run.nameOf(address as Address);
    const dot = name.indexOf('.');
    const node = nodeIn(name);
    nodes[node] ??= new Map();
    nodes[node].set(name.slice(dot + 1), address as Address);
  }
  const setting: PlainSetting = {
    config: given.config as TcaConfig,
    of: (node, part) => nodes[node]?.get(part) ?? (-1 as Address),
  };
  return plainParts(setting, given.programs as TcaPrograms);
}

/** A run beside its plain parts. */
class Compared {
  /** The first thing that is wrong. */
  wrong: string | undefined;
  readonly #parts: readonly (PlainPart | undefined)[];
  readonly #nameOf: (address: Address) => string;
  /** What must still come, by the message that it follows from. */
  readonly #expected = new Map<number, Expected | Expected[]>();
  /** What the part sends that takes a message just now, and in which tick. */
  #sent: Expected[] = [];
  #now = 0;
  readonly #send: Send = (to, delay, type, fields = nothing) => {
    this.#sent.push({ from: this.#taking, to, due: this.#now + delay, type, fields });
  };
  #taking = -1 as Address;

  constructor(parts: readonly (PlainPart | undefined)[], nameOf: (address: Address) => string) {
    this.#parts = parts;
    this.#nameOf = nameOf;
  }

  delivered(message: Message): void {
    if (this.wrong !== undefined) return;
    const { from, to } = message;
    const sender = this.#parts[from];
    if (sender) this.#compare(sender, message);
    const part = this.#parts[to];
    if (!part) return;
    const { due: now, event } = message;
    const late = part.late?.(now);
    if (late !== undefined) {
      this.wrong = `${this.#nameOf(to)}: ${late}`;
      return;
    }
    this.#now = now;
    this.#taking = to;
    try {
      part.take(event as Taken, now, from, this.#send);
    } catch (error) {
      // What no plain part can take is no message that a node sends.
      this.wrong = `${this.#nameOf(to)} cannot take ${shown(fieldsOf(event))}: ${String(error)}`;
      return;
    }
    const sent = this.#sent;
    if (sent.length === 0) return;
    if (sent.length === 1) this.#expected.set(message.seq, sent.pop()!);
    else {
      this.#expected.set(message.seq, sent);
      this.#sent = [];
    }
  }

  /** What was never sent. */
  get missing(): string | undefined {
    const [first] = [...this.#expected.values()].flat();
    return first && `${this.#nameOf(first.from)} has not sent ${this.#told(first)}`;
  }

  #compare(sender: PlainPart, { cause, due, to, from, event }: Message): void {
    if (sender.own?.includes(event.type)) return;
    const expected = this.#expected.get(cause);
    if (expected === undefined || !Array.isArray(expected)) {
      if (expected && isIt(expected, to, due, event)) this.#expected.delete(cause);
      else this.#differs(from, to, due, event, expected ? [expected] : []);
      return;
    }
    let at = 0;
    while (at < expected.length && !isIt(expected[at]!, to, due, event)) at++;
    if (at === expected.length) this.#differs(from, to, due, event, expected);
    else if (expected.length === 1) this.#expected.delete(cause);
    else expected.splice(at, 1);
  }

  #differs(
    from: Address,
    to: Address,
    due: number,
    event: LockstepEvent,
    expected: readonly Expected[],
  ): void {
    const others = expected.map((one) => this.#told(one)).join(', ') || 'nothing';
    this.wrong =
      `${this.#nameOf(from)} sends ${event.type} to ${this.#nameOf(to)} for tick ${due}, ` +
      `expected ${others}: ${shown(fieldsOf(event))}`;
  }

  #told({ type, to, due, fields }: Expected): string {
    return `${type} to ${this.#nameOf(to)} in tick ${due} (${shown({ type, ...fields })})`;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (event: object): Fields => event as Fields;

const nothing: Expected['fields'] = {};

const isIt = (expected: Expected, to: Address, due: number, event: LockstepEvent): boolean =>
  expected.type === event.type &&
  expected.to === to &&
  expected.due === due &&
  isAs(fieldsOf(event), expected);

function isAs(event: Fields, { fields }: Expected): boolean {
  for (const key in fields) {
    const expected = fields[key];
    if (typeof expected === 'function' ? !expected(event[key]) : event[key] !== expected) return false;
  }
  return true;
}

/** A message in a line: numbers and words as they are, all else by its size. */
const shown = ({ type: _type, ...fields }: Fields): string =>
  Object.entries(fields)
    .map(
      ([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value)?.slice(0, 80) : value}`,
    )
    .join(', ')
    .slice(0, 300);
