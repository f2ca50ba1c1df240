import type { Actor } from '../../kernel/actor.ts';
import type { Run } from '../../kernel/run.ts';
import type { Exporter } from './exporter.ts';
import { payloadOf } from './plain-data.ts';
import { PostingTicks } from './posting-ticks.ts';

const shown = 1_000_000;
/** Times are in microseconds. */
const femtosecondsPerUnit = 1e9;

/**
 * Chrome trace events for ui.perfetto.dev: a track for each actor, a slice for each stay in a state, an instant for each delivery and each fault
 * that struck, an arrow from the delivery that posted a message to its own.
 *
 * Details: a tick is as long as the machine says, or one microsecond. Events go out at once; kept are the present states and the ticks of the last 65,536 posts, so an arrow
 * whose beginning is older is left out.
 */
export const perfetto: Exporter = {
  summary: 'tracks of states and messages, for ui.perfetto.dev',
  extension: 'perfetto.json',
  limit: { count: shown, of: 'deliveries' },
  attach(run, write, { limit = shown, tickFemtoseconds = femtosecondsPerUnit } = {}) {
    const trace = new Trace(run, write, tickFemtoseconds / femtosecondsPerUnit);
    let more = 0;
    const postings = new PostingTicks();
    const striking = run.faults$.subscribe(({ tick, kind, from, message, what }) => {
      if (more > 0) return;
      const { seq, to, event } = message;
      const args = { from, seq, type: event.type, what };
      trace.add({ ph: 'i', s: 't', ts: tick, tid: trackOf(to), name: `fault ${kind}`, cat: 'fault', args });
    });
    const listening = run.messages$.subscribe(({ message, from, index }) => {
      const { seq, due, event } = message;
      const posted = postings.of(message);
      postings.delivered(message);
      if (index >= limit) {
        more++;
        return;
      }
      const part = run.part(message.to);
      trace.stateOf(part, due);
      const args = { from, seq, ...payloadOf(event) };
      trace.add({
        ph: 'i',
        s: 't',
        ts: due,
        tid: trackOf(message.to),
        name: event.type,
        cat: 'message',
        args,
      });
      if (message.from < 0 || posted === undefined) return;
      const arrow = { name: event.type, cat: 'message', id: seq };
      trace.add({ ph: 's', ts: posted, tid: trackOf(message.from), ...arrow });
      trace.add({ ph: 'f', bp: 'e', ts: due, tid: trackOf(message.to), ...arrow });
    });
    return {
      end: () => {
        listening.unsubscribe();
        striking.unsubscribe();
        trace.end(more === 0 ? undefined : `${more} more deliveries are not shown (limit ${limit})`);
      },
    };
  },
};

/** Tracks count from 1: viewers take 0 for the process itself. */
const trackOf = (address: number): number => address + 1;

interface Stay {
  readonly part: Actor;
  readonly state: string;
  readonly since: number;
}

class Trace {
  readonly #run: Run;
  readonly #write: (text: string) => void;
  readonly #stays = new Map<number, Stay>();
  #last = 0;
  #first = true;

  constructor(
    run: Run,
    write: (text: string) => void,
    /** Microseconds of a tick. */
    readonly unit: number,
  ) {
    this.#run = run;
    this.#write = write;
    write('{"displayTimeUnit":"ms","traceEvents":[\n');
    this.add({ ph: 'M', name: 'process_name', args: { name: 'machine' } });
    for (const part of run.parts) this.#begins(part, 0);
  }

  /** Adds an event, whose times are in ticks. */
  add(event: Readonly<Record<string, unknown>>): void {
    const inUnits = Object.entries(event).map(([key, value]) =>
      typeof value === 'number' && (key === 'ts' || key === 'dur')
        ? [key, Math.round(value * this.unit * 1e6) / 1e6]
        : [key, value],
    );
    this.#write(`${this.#first ? '' : ',\n'}${JSON.stringify({ pid: 1, ...Object.fromEntries(inUnits) })}`);
    this.#first = false;
  }

  /** Ends the slice of an actor that has gone into another state. */
  stateOf(part: Actor, tick: number): void {
    this.#last = Math.max(this.#last, tick);
    const stay = this.#stays.get(part.address);
    if (!stay) this.#begins(part, tick);
    else if (stay.state !== part.configuration.name) {
      this.#slice(stay, tick);
      this.#stays.set(part.address, { part, state: part.configuration.name, since: tick });
    }
  }

  end(note: string | undefined): void {
    const last = Math.max(this.#last, this.#run.now) + 1;
    for (const stay of this.#stays.values()) this.#slice(stay, last);
    if (note !== undefined) this.add({ ph: 'i', s: 'g', ts: last, tid: 1, name: note });
    this.#write('\n]}\n');
  }

  #begins(part: Actor, tick: number): void {
    this.#stays.set(part.address, { part, state: part.configuration.name, since: tick });
    this.add({ ph: 'M', name: 'thread_name', tid: trackOf(part.address), args: { name: part.name } });
  }

  #slice({ part, state, since }: Stay, until: number): void {
    this.add({
      ph: 'X',
      name: state,
      cat: 'state',
      ts: since,
      dur: until - since,
      tid: trackOf(part.address),
    });
  }
}
