import type { Injection } from '../../kernel/faults.ts';
import type { Address } from '../../kernel/message.ts';
import type { Exporter, Write } from './exporter.ts';
import { PostingTicks } from './posting-ticks.ts';

const kept = 1_000_000;
const inFlight = '!';
const struck = '"';
/** Time units of a dump by their femtoseconds, longest first. */
const units = [
  ['1 us', 1e9],
  ['1 ns', 1e6],
  ['1 ps', 1e3],
  ['1 fs', 1],
] as const;

/**
 * A value change dump (IEEE 1364, 21.7) for waveform viewers (GTKWave, Surfer): the state of each actor as a number, how many messages are under way, and how many faults struck.
 *
 * Details: names of actors become scopes: `Cell.Spu[0].Dma` is `Cell.Spu_0.Dma`. Comments at the beginning say which state each number stands for; one number means one
 * name of a state everywhere. A value holds from the end of its tick; a tick is as long as the machine says, one unit of time where it says nothing. A dump declares
 * all wires at its beginning, but actors may come to life later, so everything is kept until the end: memory grows with changes, and the dump stops at the limit. The count of
 * messages knows those that were delivered before the dump stopped.
 */
export const vcd: Exporter = {
  summary: 'waveforms of states, for GTKWave and Surfer',
  extension: 'vcd',
  limit: { count: kept, of: 'changes' },
  attach(run, write, { limit = kept, tickFemtoseconds } = {}) {
    const wires = new Map<number, Wire>();
    const codes = new Map<string, number>();
    const wire = (address: Address, name: string): Wire => {
      const known = wires.get(address);
      if (known) return known;
      const made = { name, id: wireId(wires.size + 2), state: '' };
      wires.set(address, made);
      return made;
    };
    const codeOf = (state: string): number => {
      const known = codes.get(state);
      if (known !== undefined) return known;
      codes.set(state, codes.size);
      return codes.size - 1;
    };
    const changes: Change[] = [];
    const underWay = new Map<number, number>();
    const touched = new Set<Address>();
    const postings = new PostingTicks();
    const faults: Injection[] = [];
    let cutAt: number | undefined;

    const note = (tick: number, address: Address) => {
      const { name, state } = run.localStateAt(address)!;
      const at = wire(address, name);
      if (state === at.state) return;
      at.state = state;
      changes.push({ tick, id: at.id, value: codeOf(state) });
    };
    for (const { address } of run.parts) note(0, address);
    const byMessage = run.messages$.subscribe(({ message }) => {
      if (cutAt !== undefined) return;
      const posted = postings.of(message);
      postings.delivered(message);
      if (posted !== undefined) {
        underWay.set(posted, (underWay.get(posted) ?? 0) + 1);
        underWay.set(message.due, (underWay.get(message.due) ?? 0) - 1);
      }
      touched.add(message.to);
    });
    const byFault = run.faults$.subscribe((injection) => {
      if (cutAt !== undefined) return;
      faults.push(injection);
      if (injection.kind === 'crash' || injection.kind === 'restart') touched.add(injection.message.to);
    });
    const byTick = run.ticks$.subscribe((tick) => {
      for (const address of touched) note(tick, address);
      touched.clear();
      if (changes.length >= limit) cutAt ??= tick;
    });
    return {
      end: () => {
        byMessage.unsubscribe();
        byTick.unsubscribe();
        byFault.unsubscribe();
        for (const address of touched) note(run.now, address);
        const bits = Math.max(1, Math.ceil(Math.log2(codes.size)));
        const [unit, length] = units.find(([, each]) => (tickFemtoseconds ?? 1e6) % each === 0) ?? units[3];
        write(
          `$comment ${tickFemtoseconds === undefined ? 'one time unit is one tick; ' : ''}a state holds from the end of its tick $end\n`,
        );
        for (const [state, code] of codes)
          write(`$comment state ${code} is ${state.replaceAll('$', '')} $end\n`);
        for (const { tick, kind, message } of faults)
          write(`$comment fault in tick ${tick}: ${kind} ${message.event.type.replaceAll('$', '')} $end\n`);
        if (cutAt !== undefined)
          write(`$comment cut after tick ${cutAt}: ${limit} changes at most are shown $end\n`);
        write(`$timescale ${unit} $end\n$scope module machine $end\n`);
        write(`$var integer 32 ${inFlight} messages_under_way $end\n`);
        if (faults.length > 0) write(`$var integer 32 ${struck} faults_struck $end\n`);
        writeScopes(write, [...wires.values()], bits);
        write('$upscope $end\n$enddefinitions $end\n');
        const all = [...changes, ...countChanges(underWay), ...faultChanges(faults)].sort(byTickOfChange);
        const known = [
          inFlight,
          ...(faults.length > 0 ? [struck] : []),
          ...[...wires.values()].map(({ id }) => id),
        ];
        const time = BigInt(Math.round((tickFemtoseconds ?? length) / length));
        writeChanges(write, all, known, (tick) => `#${BigInt(tick) * time}\n`);
        write(`#${BigInt((cutAt ?? run.now) + 1) * time}\n`);
      },
    };
  },
};

interface Wire {
  readonly name: string;
  readonly id: string;
  state: string;
}

interface Change {
  readonly tick: number;
  readonly id: string;
  readonly value: number;
}

const byTickOfChange = (a: Change, b: Change): number => a.tick - b.tick;

/** How many messages are under way from each tick on in which their number changes. */
function countChanges(underWay: ReadonlyMap<number, number>): readonly Change[] {
  let count = 0;
  return [...underWay]
    .filter(([, step]) => step !== 0)
    .sort(([a], [b]) => a - b)
    .map(([tick, step]) => {
      count += step;
      return { tick, id: inFlight, value: count };
    });
}

/** How many faults struck in each tick. */
function faultChanges(faults: readonly Injection[]): readonly Change[] {
  const byTick = new Map<number, number>();
  for (const { tick } of faults) byTick.set(tick, (byTick.get(tick) ?? 0) + 1);
  return [...byTick].flatMap(([tick, value]): readonly Change[] => {
    const here = { tick, id: struck, value };
    return byTick.has(tick + 1) ? [here] : [here, { tick: tick + 1, id: struck, value: 0 }];
  });
}

/** Declares a wire for each actor, in scopes by its name. */
function writeScopes(write: Write, wires: readonly Wire[], bits: number): void {
  const taken = new Set<string>();
  const open: string[] = [];
  const placed = wires.map(({ name, id }) => {
    const path = name.split('.').map(identifier);
    // Names that are equal but for what no identifier may have.
    while (taken.has(path.join('.'))) path.push(`${path.pop()}_`);
    taken.add(path.join('.'));
    return { path, id };
  });
  for (const { path, id } of placed.sort((a, b) => (a.path.join('.') < b.path.join('.') ? -1 : 1))) {
    const common = path.findIndex((step, at) => open[at] !== step);
    while (open.length > (common < 0 ? path.length : common)) {
      open.pop();
      write('$upscope $end\n');
    }
    for (const step of path.slice(open.length)) {
      open.push(step);
      write(`$scope module ${step} $end\n`);
    }
    write(`$var reg ${bits} ${id} state ${bits > 1 ? `[${bits - 1}:0] ` : ''}$end\n`);
  }
  write('$upscope $end\n'.repeat(open.length));
}

/** A legal simple identifier (IEEE 1364, 3.7): letters, digits and underscores, no digit first. */
function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/_$/, '');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

function writeChanges(
  write: Write,
  changes: readonly Change[],
  known: readonly string[],
  timeOf: (tick: number) => string,
): void {
  const first = new Map(known.map((id) => [id, id === inFlight || id === struck ? 'b0' : 'bx']));
  for (const { tick, id, value } of changes) if (tick === 0) first.set(id, `b${value.toString(2)}`);
  write(`${timeOf(0)}$dumpvars\n`);
  for (const [id, value] of first) write(`${value} ${id}\n`);
  write('$end\n');
  let now = 0;
  for (const { tick, id, value } of changes) {
    if (tick === 0) continue;
    if (tick !== now) write(timeOf(tick));
    now = tick;
    write(`b${value.toString(2)} ${id}\n`);
  }
}

/** Short names of wires: numbers in base 94 written with the printable characters. */
function wireId(index: number): string {
  let id = '';
  for (let rest = index; ; rest = Math.floor(rest / 94) - 1) {
    id += String.fromCharCode(33 + (rest % 94));
    if (rest < 94) return id;
  }
}
