import { type Actor, type AnyStateMachine, createActor } from 'xstate';
import { TapeChoices, type Tape } from './choices.ts';
import { CompiledMachine, type StateMode } from './compile.ts';
import type { LockstepEvent } from './message.ts';
import { type Port, silentPort, withPort } from './port.ts';

/** All that an observer can see of a part: its state value, its context, everything it put out, every pick it asked for. */
export interface Trace {
  readonly steps: readonly { readonly value: unknown; readonly context: unknown; readonly out: readonly unknown[]; readonly picks: readonly unknown[] }[];
}

/** Lets XState interpret a machine over a sequence of events, and notes what can be seen. The picks come from `tape`. */
export function traceInterpreted(machine: AnyStateMachine, input: unknown, events: readonly LockstepEvent[], tape: Tape = []): Trace {
  const port = new RecordingPort(tape);
  const steps: Trace['steps'][number][] = [];
  let failure: unknown;
  const actor = withPort(port, () => {
    const made = createActor(machine, { input }) as Actor<AnyStateMachine>;
    made.subscribe({
      error: (error) => {
        failure = error;
      },
    });
    return made.start();
  });
  const note = () => {
    if (failure !== undefined) throw failure;
    const { value, context } = actor.getSnapshot();
    steps.push({ value, context: structuredClone(context), ...port.take() });
  };
  note();
  for (const event of events) {
    withPort(port, () => actor.send(event));
    note();
  }
  return { steps };
}

/**
 * Runs a machine from the compiler's tables over a sequence of events, and notes what can be seen.
 *
 * Details: `functions` makes every row of the tables a function of its own after its first use (mutable contexts only).
 */
export function traceCompiled(machine: AnyStateMachine, input: unknown, events: readonly LockstepEvent[], tape: Tape = [], mode: StateMode | 'functions' = 'mutable'): Trace {
  const port = new RecordingPort(tape);
  const steps: Trace['steps'][number][] = [];
  const functions = mode === 'functions';
  const tables = new CompiledMachine(machine, functions ? 1 : undefined);
  if (functions) warmUp(tables, input, events);
  const snapshot = tables.start(input, port, functions ? 'mutable' : mode);
  const note = () => steps.push({ value: snapshot.value, context: structuredClone(snapshot.context), ...port.take() });
  note();
  for (const event of events) {
    tables.react(snapshot, event, port);
    note();
  }
  return { steps };
}

/** Goes through the events once, so that every row that matters has its function when it counts. */
function warmUp(tables: CompiledMachine, input: unknown, events: readonly LockstepEvent[]): void {
  const snapshot = tables.start(input, silentPort);
  for (const event of events) tables.react(snapshot, event, silentPort);
}

class RecordingPort implements Port {
  readonly observed = true;
  #out: unknown[] = [];
  #picks: unknown[] = [];
  readonly #choices: TapeChoices;
  constructor(tape: Tape) {
    this.#choices = new TapeChoices(tape);
  }
  post(message: unknown): void {
    this.#out.push(['post', structuredClone(message)]);
  }
  send(_to: unknown, _delay: unknown, message: unknown): void {
    this.post(message);
  }
  probe(probe: unknown): void {
    this.#out.push(['probe', structuredClone(probe)]);
  }
  report(report: unknown): void {
    this.#out.push(['report', structuredClone(report)]);
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
    return taken;
  }
}
