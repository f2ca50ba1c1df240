import type { Injection } from '../../kernel/faults.ts';
import type { Part } from '../../kernel/part.ts';
import type { Exporter } from './exporter.ts';
import { PostingTicks } from './posting-ticks.ts';

const kept = 1_000_000;
const inFlight = '!';

/**
 * A value change dump for waveform viewers (GTKWave, Surfer): the state of each actor as a text, how many messages are under way, and, when
 * some struck, the faults as texts.
 *
 * Details: a value holds from the end of its tick. A dump declares all wires at its beginning, but actors may come to life later, so everything is
 * kept until the end: memory grows with changes, and the dump stops at the limit. The count of messages knows those that were delivered before the dump
 * stopped.
 */
export const vcd: Exporter = {
  summary: 'waveforms of states, for GTKWave and Surfer',
  extension: 'vcd',
  limit: { count: kept, of: 'changes' },
  attach(run, write, limit = kept) {
    const wires = new Map<number, Wire>();
    const wire = (part: Part): Wire => {
      const known = wires.get(part.address);
      if (known) return known;
      const made = { name: part.name, id: wireId(wires.size + 1), state: '' };
      wires.set(part.address, made);
      return made;
    };
    const changes: Change[] = [];
    const underWay = new Map<number, number>();
    const touched = new Map<number, Part>();
    const postings = new PostingTicks();
    const faults: Injection[] = [];
    let cutAt: number | undefined;

    const note = (tick: number, part: Part) => {
      const at = wire(part);
      const state = part.configuration.name;
      if (state === at.state) return;
      at.state = state;
      changes.push({ tick, id: at.id, state });
    };
    for (const part of run.parts) note(0, part);
    const byMessage = run.messages$.subscribe(({ message }) => {
      if (cutAt !== undefined) return;
      const posted = postings.of(message);
      postings.delivered(message);
      if (posted !== undefined) {
        underWay.set(posted, (underWay.get(posted) ?? 0) + 1);
        underWay.set(message.due, (underWay.get(message.due) ?? 0) - 1);
      }
      touched.set(message.to, run.part(message.to));
    });
    const byFault = run.faults$.subscribe((injection) => {
      if (cutAt === undefined) faults.push(injection);
    });
    const byTick = run.ticks$.subscribe((tick) => {
      for (const part of touched.values()) note(tick, part);
      touched.clear();
      if (changes.length >= limit) cutAt ??= tick;
    });
    return {
      end: () => {
        byMessage.unsubscribe();
        byTick.unsubscribe();
        byFault.unsubscribe();
        for (const part of touched.values()) note(run.now, part);
        write('$comment one time unit is one tick; a state holds from the end of its tick $end\n');
        if (cutAt !== undefined)
          write(`$comment cut after tick ${cutAt}: ${limit} changes at most are shown $end\n`);
        write('$timescale 1 ns $end\n$scope module machine $end\n');
        write(`$var integer 32 ${inFlight} messages_under_way $end\n`);
        for (const { id, name } of wires.values())
          write(`$var string 1 ${id} ${name.replace(/\s+/g, '_')} $end\n`);
        const faultId = wireId(wires.size + 1);
        if (faults.length > 0) write(`$var string 1 ${faultId} faults $end\n`);
        write('$upscope $end\n$enddefinitions $end\n');
        writeChanges(write, [...changes, ...faultChanges(faults, faultId)].sort(byTickOfChange), underWay);
        write(`#${(cutAt ?? run.now) + 1}\n`);
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
  readonly state: string;
}

const byTickOfChange = (a: Change, b: Change): number => a.tick - b.tick;

/** What struck, by tick: the kinds and types of the faults of a tick, and nothing from the next tick on. */
function faultChanges(faults: readonly Injection[], id: string): readonly Change[] {
  const byTick = new Map<number, string[]>();
  for (const { tick, kind, message } of faults) {
    const struck = `${kind}:${message.event.type}`;
    const known = byTick.get(tick);
    if (known) known.push(struck);
    else byTick.set(tick, [struck]);
  }
  return [...byTick].flatMap(([tick, struck]): readonly Change[] => {
    const here = { tick, id, state: struck.join(';') };
    return byTick.has(tick + 1) ? [here] : [here, { tick: tick + 1, id, state: '-' }];
  });
}

function writeChanges(
  write: (text: string) => void,
  changes: readonly Change[],
  underWay: ReadonlyMap<number, number>,
): void {
  const steps = [...underWay].filter(([, step]) => step !== 0).sort(([a], [b]) => a - b);
  let count = 0;
  let nextStep = 0;
  let nextChange = 0;
  let tick = -1;
  const at = (now: number) => {
    if (now === tick) return;
    tick = now;
    write(`#${now}\n`);
    if (now === 0 && steps[0]?.[0] !== 0) write(`b0 ${inFlight}\n`);
  };
  while (nextStep < steps.length || nextChange < changes.length) {
    const step = steps[nextStep];
    const change = changes[nextChange];
    if (step && (!change || step[0] <= change.tick)) {
      at(step[0]);
      count += step[1];
      write(`b${count.toString(2)} ${inFlight}\n`);
      nextStep++;
    } else {
      at(change!.tick);
      write(`s${change!.state.replace(/\s+/g, '')} ${change!.id}\n`);
      nextChange++;
    }
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
