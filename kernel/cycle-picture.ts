import type { AnyStateMachine } from 'xstate';
import { compile } from './compile.ts';
import { firstDifference } from './difference.ts';
import { type Address, type LockstepEvent, type Post, WORLD } from './message.ts';
import type { Port } from './port.ts';

/** One row of a picture: a signal, what it does in each cycle, and what its letters stand for. */
interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly legend: ReadonlyMap<string, string>;
}

interface Picture {
  readonly given: readonly Row[];
  readonly state: Row;
  readonly expected: readonly Row[];
}

/** What a part did in one cycle. */
interface Cycle {
  readonly state: string;
  readonly out: readonly Output[];
}

type Output = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Checks a part against a picture of its timing: one column a cycle, one row a signal.
 *
 *     cycles(commandBus, { modules: [1, 2] }, `
 *       cycle        0  1  2
 *       bus.acquire  a  b  .     a = spu 0, t 0; b = spu 1, t 0
 *       bus.release  .  .  a     a = spu 0, t 0
 *       state        h  .  .     h = held
 *       bus.granted  a  .  b     a = to 1; b = to 2
 *     `);
 *
 * Details: the rows above `state` are given, the others are expected. A letter is one event, several letters in a cell are several events in
 * this order, a point is none. The legend of a row says what its letters carry, `name value` with numbers, words or JSON, or there is none; `from` of a given event
 * is the address of its sender, the outside when it is not said; of an expected event
 * only the fields named there are compared. In the row `state` a letter stands for the state at the end of the cycle, a point for the same as
 * before. Expected rows are messages, probes and, under the name `report`, reports; every message to another part needs a row. The part has
 * address 0 and gets its own messages when they are due, before the events of the picture; every pick is 0.
 *
 * Errors: throws an Error that says, cycle by cycle, what does not hold, or what cannot be read in the picture.
 */
export function cycles(machine: AnyStateMachine, input: unknown, picture: string): void {
  const read = readPicture(picture);
  const failures = compare(read, play(machine, input, read));
  if (failures.length > 0)
    throw new Error(`the picture of "${machine.id}" does not hold:\n  ${failures.join('\n  ')}`);
}

function readPicture(text: string): Picture {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const numbers = lines[0]?.split(/\s+/) ?? [];
  const count = numbers.length - 1;
  if (numbers[0] !== 'cycle' || !numbers.slice(1).every((number, cycle) => number === String(cycle))) {
    throw new Error(`a picture begins with "cycle 0 1 2 ...", not with "${lines[0]}"`);
  }
  const rows = lines.slice(1).map((line) => readRow(line, count));
  const at = rows.findIndex(({ name }) => name === 'state');
  if (at < 0) throw new Error('a picture has a row "state"');
  return { given: rows.slice(0, at), state: rows[at]!, expected: rows.slice(at + 1) };
}

function readRow(line: string, count: number): Row {
  const parts = new RegExp(`^(\\S+)((?:\\s+\\S+){${count}})(.*)$`).exec(line);
  // What is left over is the legend; anything else means that cells are missing or too many.
  if (!parts || !/^(\s+\w = .*)?$/.test(parts[3]!))
    throw new Error(`a row has one cell for each of the ${count} cycles, unlike "${line}"`);
  const cells = parts[2]!.trim().split(/\s+/);
  // A new entry begins where a single letter and "=" stand.
  const legend = new Map<string, string>();
  for (const entry of parts[3]!.split(/[,;]?\s*(?=\b\w = )/)) {
    const [, letter, meaning] = /^(\w) = (.*)$/.exec(entry.trim()) ?? [];
    if (letter !== undefined) legend.set(letter, meaning!);
  }
  return { name: parts[1]!, cells: cells.map((cell) => (cell === '.' ? '' : cell)), legend };
}

/** The fields that a letter of a row stands for. */
function fieldsOf(row: Row, letter: string): Readonly<Record<string, unknown>> {
  const text = row.legend.get(letter);
  if (text === undefined && row.legend.size > 0)
    throw new Error(`the row ${row.name} does not say what ${letter} is`);
  const fields: Record<string, unknown> = {};
  for (const [, name, value] of (text ?? '').matchAll(
    /(\S+)\s+("[^"]*"|\{[^}]*\}|\[[^\]]*\]|[^,]*)(?:,\s*|$)/g,
  )) {
    fields[name!] = parsed(value!.trim());
  }
  return fields;
}

/** Numbers, true, false, null, and what stands in quotes, brackets or braces are read as JSON; the rest are words. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function play(machine: AnyStateMachine, input: unknown, picture: Picture): Cycle[] {
  const tables = compile(machine);
  const due = new Map<number, LockstepEvent[]>();
  let now = 0;
  let out: Output[] = [];
  const at = (cycle: number) => due.get(cycle) ?? due.set(cycle, []).get(cycle)!;
  const senders = new WeakMap<LockstepEvent, Address>();
  let from: Address = WORLD;
  const port: Port = {
    get now() {
      return now;
    },
    get from() {
      return from;
    },
    self: 0 as Address,
    input,
    observed: true,
    setTimer: (type, ticks = 1) => {
      if ([...due].some(([cycle, events]) => cycle > now && events.some((event) => event.type === type)))
        return;
      at(now + ticks).push({ type });
    },
    cancelTimer: (type) => {
      for (const [cycle, events] of due)
        if (cycle > now)
          due.set(
            cycle,
            events.filter((event) => event.type !== type),
          );
    },
    post: (message) => port.send(message.to, message.delay, message),
    send: (to, delay, message: Post) => {
      if (to === 0) at(now + (delay ?? 0)).push(message);
      out.push({ ...message });
    },
    probe: (probe) => out.push({ ...probe } as unknown as Output),
    report: (report) => out.push({ type: 'report', ...report }),
    pick: () => 0,
  };
  const snapshot = tables.start(input, port);
  return picture.state.cells.map((_, cycle) => {
    now = cycle;
    const inbox = at(cycle);
    for (const row of picture.given)
      for (const letter of row.cells[cycle]!) {
        const { from: sender = WORLD, ...fields } = fieldsOf(row, letter);
        const event = { type: row.name, ...fields };
        senders.set(event, sender as Address);
        inbox.push(event);
      }
    for (const event of inbox) {
      from = senders.get(event) ?? port.self;
      if (!tables.react(snapshot, event, port))
        throw new Error(
          `cycle ${cycle}: state "${snapshot.configuration.name}" does not decide on "${event.type}"`,
        );
    }
    const done = { state: snapshot.configuration.name, out };
    out = [];
    return done;
  });
}

function compare({ state, expected }: Picture, found: readonly Cycle[]): string[] {
  const drawn = new Set(expected.map(({ name }) => name));
  let before = '';
  return found.flatMap((cycle, number) => {
    const letter = state.cells[number]!;
    const wanted = letter === '' ? before || cycle.state : (state.legend.get(letter) ?? letter);
    before = wanted;
    const failures =
      cycle.state === wanted ? [] : [`cycle ${number}: the state is ${cycle.state}, drawn is ${wanted}`];
    for (const row of expected)
      failures.push(
        ...compareCell(
          row,
          number,
          cycle.out.filter(({ type }) => type === row.name),
        ),
      );
    // Messages to oneself and probes may be left out of a picture; a message to another part may not.
    for (const one of cycle.out)
      if (typeof one['to'] === 'number' && one['to'] !== 0 && !drawn.has(one.type))
        failures.push(`cycle ${number}: ${describe(one)} is not drawn`);
    return failures;
  });
}

function compareCell(row: Row, cycle: number, found: readonly Output[]): string[] {
  const letters = [...row.cells[cycle]!];
  if (letters.length !== found.length)
    return [
      `cycle ${cycle}: ${found.length} times ${row.name} (${found.map(describe).join(' ') || 'nothing'}), drawn is ${letters.length} times`,
    ];
  return letters.flatMap((letter, index) =>
    Object.entries(fieldsOf(row, letter)).flatMap(([name, value]) => {
      const is = found[index]![name];
      const differs = firstDifference(is, value, name);
      return differs === undefined ? [] : [`cycle ${cycle}: ${row.name}: ${differs}`];
    }),
  );
}

const describe = (output: Output): string => JSON.stringify(output);
