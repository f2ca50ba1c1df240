import type { Program } from '../../../actors/common/program.ts';
import type { CpeState as CpeActor } from '../../../actors/sunway/cpe/cpe-state.ts';
import { threadSteps } from '../../../actors/sunway/cpe/running.ts';
import { cpeApi } from '../../../actors/sunway/cpe-api.ts';
import type { ThreadStart } from '../../../actors/sunway/messages.ts';
import { hostSteps } from '../../../actors/sunway/mpe/host-program.ts';
import type { MpeState as MpeActor } from '../../../actors/sunway/mpe/mpe-state.ts';
import { mpeApi } from '../../../actors/sunway/mpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../../actors/sunway/program.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Run } from '../../../kernel/run.ts';
import { PartNames } from './part-names.ts';
import { ProgramTrace, type StaticDatum, watched } from './program-trace.ts';
import {
  type CoreId,
  coresPerGroup,
  groupOf,
  mainMemory,
  type Operation,
  type Space,
} from './race/race-event.ts';
import type { ProgramText } from './race/race-report.ts';

/** An operation and when it was carried out, which says in which thread of its core. */
type Placed = Operation & { readonly cycle: number };

/** A thread of a CPE. Its log of results is taken when it ends, and is in the actor until then. */
interface Thread {
  readonly actor: Address;
  readonly program: CpeProgram;
  readonly arg: number;
  readonly from: number;
  log: NonNullable<CpeActor['thread']>['program'] | undefined;
  trace: ProgramTrace | undefined;
}

/** A host process. */
interface Host {
  readonly mpe: Address;
  readonly program: MpeProgram;
  trace: ProgramTrace | undefined;
}

/** What the program of a core says of itself when it is looked at once more. */
export interface ThreadStory {
  /** The cycle in which the thread was started; 0 for a host process. */
  readonly from: number;
  /** Where operations are written, by their number. */
  readonly places: ReadonlyMap<number, string>;
  readonly statics: readonly StaticDatum[];
}

/** Threads of a CPE that are remembered: the one that runs, and those before it. */
const threadsMax = 3;

/**
 * Finds where in its program an operation is written, and what the program has at an address.
 *
 * Details: only for a report, so a run without one pays nothing. The program is run again from the results that its core was given, once as
 * long as nothing behind that is asked for.
 */
export class ProgramPlaces implements ProgramText {
  readonly #run: Run;
  readonly #hosts: readonly Host[];
  readonly #names = new PartNames();
  readonly #threads = new Map<CoreId, Thread[]>();

  /** Before the first step; `hosts` by core group. */
  constructor(run: Run, hosts: readonly Pick<Host, 'mpe' | 'program'>[]) {
    this.#run = run;
    this.#hosts = hosts.map((host) => ({ ...host, trace: undefined }));
    run.messages$.subscribe(({ message, from, to }) => {
      const { event, due } = message;
      if (event.type === 'thread.start') this.#begin(due, to, message.to, event as ThreadStart);
      else if (event.type === 'drain.request') this.#end(from);
    });
  }

  placeOf(core: CoreId, { step, cycle }: Placed): string | undefined {
    return this.#traceOf(core, cycle, (trace) => trace.placeOf(step));
  }

  bufferAt(space: Space, address: number, cycle: number): string | undefined {
    if (space !== mainMemory) return this.#traceOf(space, cycle, (trace) => trace.bufferAt(address));
    for (const host of this.#hosts) {
      const found = this.#ofHost(host, (trace) => trace.bufferAt(address));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Where these operations of the last thread of a core are written, and its static data. */
  story(core: CoreId, steps: ReadonlySet<number>): ThreadStory {
    const from = this.#threads.get(core)?.at(-1)?.from ?? 0;
    const places = new Map<number, string>();
    const statics = this.#traceOf(core, Number.POSITIVE_INFINITY, (trace) => {
      for (const step of steps) {
        const place = trace.placeOf(step);
        if (place !== undefined) places.set(step, place);
      }
      return trace.statics;
    });
    return { from, places, statics: statics ?? [] };
  }

  #begin(from: number, to: string, actor: Address, { program, arg }: ThreadStart): void {
    const { core } = this.#names.of(to)!;
    const threads = this.#threads.get(core) ?? [];
    threads.push({ actor, program: program.value, arg, from, log: undefined, trace: undefined });
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

  #traceOf<T>(core: CoreId, cycle: number, look: (trace: ProgramTrace) => T | undefined): T | undefined {
    if (core % coresPerGroup === coresPerGroup - 1) return this.#ofHost(this.#hosts[groupOf(core)]!, look);
    const thread = this.#threads.get(core)?.findLast(({ from }) => from <= cycle);
    if (!thread) return undefined;
    const log = thread.log ?? this.#threadOf(thread)?.program;
    if (!log) return undefined;
    const { identity } = (this.#run.part(thread.actor).context as unknown as CpeActor).spec.value.facts;
    return looked(thread, log, look, (trace) =>
      log.retrace(
        () =>
          trace.followed(
            threadSteps(thread.program, thread.arg, (statics) => watched(cpeApi(identity, statics), trace)),
          ),
        Number.POSITIVE_INFINITY,
      ),
    );
  }

  #ofHost<T>(host: Host, look: (trace: ProgramTrace) => T | undefined): T | undefined {
    const actor = this.#run.part(host.mpe).context as unknown as MpeActor;
    const { cgn, memory, cross } = actor.spec.value;
    return looked(host, actor.program, look, (trace) =>
      actor.program.retrace(
        () => trace.followed(hostSteps(host.program, watched(mpeApi(cgn, memory, cross), trace))),
        Number.POSITIVE_INFINITY,
      ),
    );
  }
}

/** Looks into the trace of a program, and into a longer one when that does not tell and the program has gone on since. */
function looked<T>(
  of: { trace: ProgramTrace | undefined },
  log: Pick<Program<unknown, unknown>, 'steps'>,
  look: (trace: ProgramTrace) => T | undefined,
  retrace: (trace: ProgramTrace) => void,
): T | undefined {
  const found = of.trace && look(of.trace);
  if (found !== undefined || of.trace?.upTo === log.steps) return found;
  const trace = new ProgramTrace(log.steps);
  try {
    retrace(trace);
  } catch {
    // A program that fails when it is run again from its results has read something else as well: what it showed before that counts.
  }
  of.trace = trace;
  return look(trace);
}
