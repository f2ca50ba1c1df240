import { type Actor, type AnyStateMachine, createActor } from 'xstate';
import { type Tape, TapeChoices } from './choices.ts';
import { CompiledMachine } from './compile.ts';
import { copyContext } from './copy.ts';
import type { Address, LockstepEvent } from './message.ts';
import { type Port, silentPort, withPort } from './port.ts';
import { CompiledSnapshot, type StateMode } from './tables.ts';
import { visible } from './visible.ts';

/** All that an observer can see of a part: its state value, its context, everything it put out, every pick it asked for. */
export interface Trace {
  /** Number of the event at which it threw, -1 for its start; absent when it did not. The steps end before it. */
  readonly threwAt?: number;
  readonly steps: readonly {
    readonly value: unknown;
    readonly context: unknown;
    readonly out: readonly unknown[];
    readonly picks: readonly unknown[];
  }[];
}

/**
 * Lets XState interpret a machine over a sequence of events, and notes what can be seen. The picks come from `tape`.
 *
 * Details: an input that holds resources is given as a function that makes it, since each execution needs its own.
 */
export function traceInterpreted(
  machine: AnyStateMachine,
  input: unknown,
  events: readonly LockstepEvent[],
  tape: Tape = [],
): Trace {
  const port = new RecordingPort(tape);
  const steps: Trace['steps'][number][] = [];
  let failed = false;
  const actor = withPort(port, () => {
    const made = createActor(machine, { input: inputOf(input) }) as Actor<AnyStateMachine>;
    made.subscribe({
      error: () => {
        failed = true;
      },
    });
    return made.start();
  });
  for (let at = -1; at < events.length; at++) {
    if (at >= 0) withPort(port, () => actor.send(events[at]!));
    if (failed) return { threwAt: at, steps };
    const { value, context } = actor.getSnapshot();
    steps.push({ value, context: visible(context), ...port.take() });
  }
  return { steps };
}

/**
 * Runs a machine from the compiler's tables over a sequence of events, and notes what can be seen.
 *
 * Details: `functions` makes every row of the tables a function of its own after its first use (mutable contexts only). Before the event
 * number `copyBefore` the state is replaced by a copy, and the original goes through the other events alone: had they anything in common,
 * the trace would show it.
 */
export function traceCompiled(
  machine: AnyStateMachine,
  input: unknown,
  events: readonly LockstepEvent[],
  tape: Tape = [],
  mode: StateMode | 'functions' = 'mutable',
  copyBefore = -1,
): Trace {
  const port = new RecordingPort(tape);
  const steps: Trace['steps'][number][] = [];
  const functions = mode === 'functions';
  const tables = functions ? eager(machine) : lazy(machine);
  if (functions) warmUp(tables, inputOf(input), events);
  let at = -1;
  try {
    let snapshot = tables.start(inputOf(input), port, functions ? 'mutable' : mode);
    for (;;) {
      steps.push({ value: snapshot.value, context: visible(snapshot.context), ...port.take() });
      if (++at === events.length) return { steps };
      if (at === copyBefore) {
        const original = snapshot;
        snapshot = new CompiledSnapshot(
          tables,
          original.configuration,
          copyContext(original.context, new Map(), original.mode === 'immutable'),
          original.mode,
        );
        goOn(tables, () => original, events.slice(at));
      }
      tables.react(snapshot, events[at]!, port);
    }
  } catch {
    return { threwAt: at, steps };
  }
}

/** Tables of which no row, or every row after its first use, is a function: made once for each machine. */
const tablesAfter = (usesBeforeFunction: number) => {
  const made = new WeakMap<AnyStateMachine, CompiledMachine>();
  return (machine: AnyStateMachine): CompiledMachine => {
    let tables = made.get(machine);
    if (!tables) {
      tables = new CompiledMachine(machine, usesBeforeFunction);
      made.set(machine, tables);
    }
    return tables;
  };
};
const [lazy, eager] = [tablesAfter(Number.MAX_SAFE_INTEGER), tablesAfter(1)];

const inputOf = (input: unknown): unknown => (typeof input === 'function' ? input() : input);

/** Goes through the events once, so that every row that matters has its function when it counts. */
function warmUp(tables: CompiledMachine, input: unknown, events: readonly LockstepEvent[]): void {
  goOn(tables, () => tables.start(input, silentPort), events);
}

function goOn(tables: CompiledMachine, from: () => CompiledSnapshot, events: readonly LockstepEvent[]): void {
  try {
    const snapshot = from();
    for (const event of events) tables.react(snapshot, event, silentPort);
  } catch {
    // It throws when it counts as well.
  }
}

class RecordingPort implements Port {
  readonly observed = true;
  readonly self = 3 as Address;
  readonly input = undefined;
  /** Events handled so far. */
  now = 0;
  #out: unknown[] = [];
  #picks: unknown[] = [];
  readonly #choices: TapeChoices;
  constructor(tape: Tape) {
    this.#choices = new TapeChoices(tape);
  }
  post(message: unknown): void {
    this.#out.push(['post', visible(message)]);
  }
  send(_to: unknown, _delay: unknown, message: unknown): void {
    this.post(message);
  }
  probe(probe: unknown): void {
    this.#out.push(['probe', visible(probe)]);
  }
  report(report: unknown): void {
    this.#out.push(['report', visible(report)]);
  }
  get from(): Address {
    return (this.now % 3) as Address;
  }
  setTimer(type: string, ticks = 1): void {
    this.#out.push(['timer', type, ticks]);
  }
  cancelTimer(type: string): void {
    this.#out.push(['cancelled timer', type]);
  }
  pick(what: string, count: number): number {
    const pick = this.#choices.pick(what, count);
    this.#picks.push([what, count, pick]);
    return pick;
  }
  take(): { out: unknown[]; picks: unknown[] } {
    const taken = { out: this.#out, picks: this.#picks };
    this.#out = [];
    this.#picks = [];
    this.now++;
    return taken;
  }
}
