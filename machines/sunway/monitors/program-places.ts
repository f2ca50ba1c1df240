import type { CpeContext as CpeActor } from '../../../actors/sunway/cpe/cpe-context.ts';
import { threadSteps } from '../../../actors/sunway/cpe/running.ts';
import { cpeContext } from '../../../actors/sunway/cpe-context.ts';
import type { ThreadStart } from '../../../actors/sunway/messages.ts';
import { hostSteps } from '../../../actors/sunway/mpe/host-program.ts';
import type { MpeContext as MpeActor } from '../../../actors/sunway/mpe/mpe-context.ts';
import { mpeContext } from '../../../actors/sunway/mpe-context.ts';
import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import { PartNames } from './part-names.ts';
import { type CoreId, coresPerGroup, groupOf, type Operation } from './race/race-event.ts';

/** An operation and when it was carried out, which says in which thread of its core. */
type Placed = Operation & { readonly cycle: number };

/** A thread of a CPE. Its log of results is taken when it ends, and is in the actor until then. */
interface Thread {
  readonly actor: Address;
  readonly program: CpeProgram;
  readonly arg: number;
  readonly from: number;
  log: NonNullable<CpeActor['thread']>['program'] | undefined;
}

/** Threads of a CPE that are remembered: the one that runs, and those before it. */
const threadsMax = 3;

/**
 * Finds where in its program an operation is written.
 *
 * Details: only for a report, so a run without one pays nothing. The program is run again from the results that its core was given, and each
 * call notes where it is made from.
 */
export class ProgramPlaces {
  readonly #run: Run;
  readonly #hosts: readonly { readonly mpe: Address; readonly program: MpeProgram }[];
  readonly #names = new PartNames();
  readonly #threads = new Map<CoreId, Thread[]>();
  readonly #found = new Map<string, string | undefined>();

  /** Before the first step; `hosts` by core group. */
  constructor(run: Run, hosts: readonly { readonly mpe: Address; readonly program: MpeProgram }[]) {
    this.#run = run;
    this.#hosts = hosts;
    run.messages$.subscribe(({ message, from, to }) => {
      const { event, due } = message;
      if (event.type === 'thread.start') this.#begin(due, to, message.to, event as ThreadStart);
      else if (event.type === 'drain.request') this.#end(from);
    });
  }

  /** `axpy.ts:31`, or undefined where nothing tells. */
  readonly locate = (core: CoreId, operation: Placed): string | undefined => {
    const thread = this.#threads.get(core)?.findLast(({ from }) => from <= operation.cycle);
    const key = `${core} ${thread?.from ?? 0} ${operation.step}`;
    if (!this.#found.has(key)) this.#found.set(key, this.#look(core, thread, operation.step));
    return this.#found.get(key);
  };

  #begin(from: number, to: string, actor: Address, { program, arg }: ThreadStart): void {
    const { core } = this.#names.of(to)!;
    const threads = this.#threads.get(core) ?? [];
    threads.push({ actor, program: program.value, arg, from, log: undefined });
    if (threads.length > threadsMax) threads.shift();
    this.#threads.set(core, threads);
  }

  #end(part: string): void {
    const thread = this.#threads.get(this.#names.of(part)!.core)?.at(-1);
    if (thread) thread.log = this.#threadOf(thread)?.program;
  }

  #threadOf({ actor }: Thread): CpeActor['thread'] {
    return (this.#run.part(actor).context as unknown as CpeActor).thread;
  }

  #look(core: CoreId, thread: Thread | undefined, step: number): string | undefined {
    const made: Made = new WeakMap();
    try {
      const operation = thread
        ? this.#ofThread(thread, step, made)
        : core % coresPerGroup === coresPerGroup - 1
          ? this.#ofHost(groupOf(core), step, made)
          : undefined;
      return operation && placeIn(made.get(operation)?.stack);
    } catch {
      // A program that fails when it is run again from its results has read something else as well: it has no place.
      return undefined;
    }
  }

  #ofThread(thread: Thread, step: number, made: Made): object | undefined {
    const { identity } = (this.#run.part(thread.actor).context as unknown as CpeActor).spec.value.facts;
    const log = thread.log ?? this.#threadOf(thread)?.program;
    const steps = () =>
      threadSteps(thread.program, thread.arg, (statics) => watched(cpeContext(identity, statics), made));
    return log?.retrace(steps, step);
  }

  #ofHost(group: number, step: number, made: Made): object | undefined {
    const { mpe, program } = this.#hosts[group]!;
    const actor = this.#run.part(mpe).context as unknown as MpeActor;
    const { cgn, memory, cross } = actor.spec.value;
    return actor.program.retrace(
      () => hostSteps(program, watched(mpeContext(cgn, memory, cross), made)),
      step,
    );
  }
}

/** By operation: where it was made. The text of a stack is made only when it is read. */
type Made = WeakMap<object, { readonly stack?: string }>;

/** The same functions; where an operation is made is noted. */
function watched<Context extends object>(context: Context, made: Made): Context {
  const entries = Object.entries(context).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value] as const;
    const called = (...given: readonly unknown[]): unknown => {
      const operation: unknown = value(...given);
      if (typeof operation === 'object' && operation !== null) {
        const at = {};
        // Engines without it give no places.
        (Error as { captureStackTrace?: (into: object, above: unknown) => void }).captureStackTrace?.(
          at,
          called,
        );
        made.set(operation, at);
      }
      return operation;
    };
    return [name, called] as const;
  });
  // Every entry has the type that it had: functions keep arguments and results.
  return Object.fromEntries(entries) as Context;
}

/** File and line of the first call in a stack: `axpy.ts:31`. */
function placeIn(stack: string | undefined): string | undefined {
  const line = stack?.split('\n').find((one) => /:\d+:\d+\)?$/.test(one));
  const found = line && /([^/\\(\s]+):(\d+):\d+\)?$/.exec(line);
  return found ? `${found[1]}:${found[2]}` : undefined;
}
