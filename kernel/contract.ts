import fc from 'fast-check';
import type { AnyStateMachine } from 'xstate';
import { compile } from './compile.ts';
import { firstDifference } from './difference.ts';
import { type Trace, traceCompiled, traceInterpreted } from './equivalence.ts';
import { stateNodes } from './features.ts';
import type { Address, LockstepEvent } from './message.ts';
import { type Port, silentPort } from './port.ts';
import type { Members } from './protocol/field.ts';
import type { AnyRole, EventDraws } from './protocol/protocol.ts';
import { Run } from './run.ts';
import type { Configuration, StateMode } from './tables.ts';
import { valueText } from './value-text.ts';
import { Wiring } from './wiring.ts';

/** A part that is to keep the contract of all parts. */
export interface ContractSubject {
  readonly machine: AnyStateMachine;
  /** Makes what its context is made from: called for each execution, so that resources are never shared. */
  readonly input: () => unknown;
  /** Its role in a protocol: events are drawn by it, and the part posts, shows and sets as timers only what the protocol declares. */
  readonly speaks?: AnyRole;
  /** One event that may reach it, for a part without a role. Small ids and few addresses make it likely that events have to do with each other. */
  readonly events?: fc.Arbitrary<LockstepEvent>;
  /** By name of a field of events of `speaks`, or by type and name as `ring.request.size`: what its values are drawn from, where few values lead far. */
  readonly values?: EventDraws['values'];
  /** By type of events of `speaks`: how often they are drawn beside others. 1 when absent. */
  readonly weights?: EventDraws['weights'];
  /** By role: addresses that events of `speaks` name; `partners` for roles that are not here. */
  readonly members?: Readonly<Record<string, readonly number[]>>;
  /** True for a part that begins by itself. */
  readonly begins?: boolean;
  /** By leaf state: the types of event that it does not decide on, since nobody sends them then. They fail a run. */
  readonly undecided?: Readonly<Record<string, readonly string[]>>;
  /** Leaf states that random events do not lead to. Their pairs of state and event are not checked. */
  readonly unreached?: readonly string[];
  /** Sequences of events per check. Default 60. */
  readonly runs?: number;
  /** Events of a sequence at most. Default 40. */
  readonly eventsMax?: number;
}

/** Addresses that a part under test hears of: those who send it events in turn, and its own, the last one. */
export const partners: readonly number[] = [0, 1, 2, 3];

/** One sentence of the contract, and a way to find out where it does not hold. */
export interface ContractCheck {
  readonly sentence: string;
  /** Each failure names the part and says what was found; empty when the sentence holds. */
  readonly failures: () => readonly string[];
}

/**
 * The contract that every part keeps, as checks.
 *
 * Use when a part was written, in any test runner:
 *
 *     for (const { sentence, failures } of contractOf('server', { machine: server, speaks: lockProtocol.roles.Server, input: () => ({}) })) {
 *       test(sentence, () => expect(failures()).toEqual([]));
 *     }
 *
 * Details: most events of a sequence are ones that the present state decides on, so that sequences lead far; one in eight comes at any
 * time. A part may throw on events that nobody would send; then it must throw in every execution.
 */
export function contractOf(name: string, subject: ContractSubject): readonly ContractCheck[] {
  const { machine, input } = subject;
  const compiled =
    (mode: StateMode | 'functions'): Execute =>
    ({ events, tape, cut }, copied) =>
      traceCompiled(machine, input, events, tape, mode, copied ? cut : undefined);
  const interpreted: Execute = ({ events, tape }) => traceInterpreted(machine, input, events, tape);
  const same = (sentence: string, one: Execute, other: Execute): WalkCheck => ({
    sentence,
    check: (walk, traces) =>
      firstDifference(one === other ? one(walk) : traces.of(one), traces.of(other), name),
  });
  const [tables, persistent, functions] = [compiled('mutable'), compiled('immutable'), compiled('functions')];
  const checks: readonly WalkCheck[] = [
    same('the same events and picks lead to the same trace', tables, tables),
    same('the tables do what XState does', tables, interpreted),
    same('the tables do what XState does with persistent contexts', persistent, interpreted),
    same('rows that became functions do what XState does', functions, interpreted),
    same('a snapshot goes on as if it had never stopped', (walk) => tables(walk, true), tables),
    same(
      'a persistent snapshot goes on as if it had never stopped',
      (walk) => persistent(walk, true),
      tables,
    ),
    {
      sentence: 'its state survives JSON',
      check: (_, traces) => survivesJson(name, traces.of(tables)),
    },
    ...(subject.speaks
      ? [
          {
            sentence: 'it says only what its protocol declares',
            check: (_: Walk, traces: Traces) => undeclared(name, subject.speaks!, traces.of(tables)),
          },
        ]
      : []),
  ];
  let came: Walked | undefined;
  const result = (): Walked => {
    came ??= walked(subject, checks);
    return came;
  };
  return [
    ...checks.map((one) => ({
      sentence: `${name}: ${one.sentence}`,
      failures: () => (result().broken.has(one) ? simplestFailure(subject, one) : []),
    })),
    {
      sentence: `${name}: every state decides on every event, or is listed as one that does not`,
      failures: () => undecidedPairs(name, subject, result()),
    },
    ...(subject.begins
      ? []
      : [{ sentence: `${name}: it does nothing unasked`, failures: () => idle(name, subject) }]),
  ];
}

/** A sequence of events that a part gets. */
interface Walk {
  readonly events: readonly LockstepEvent[];
  /** The picks for them. */
  readonly tape: readonly number[];
  /** A place to stop at: the number of an event. */
  readonly cut: number;
}

/** One way to carry out a walk; `copied`: at its cut the state is replaced by a copy. */
type Execute = (walk: Walk, copied?: boolean) => Trace;

/** What a walk came to, by the way to carry it out: for all checks that ask for it. */
class Traces {
  readonly #walk: Walk;
  readonly #kept = new Map<Execute, Trace>();
  constructor(walk: Walk) {
    this.#walk = walk;
  }

  of(execute: Execute): Trace {
    let trace = this.#kept.get(execute);
    if (!trace) {
      trace = execute(this.#walk);
      this.#kept.set(execute, trace);
    }
    return trace;
  }
}

/** What must hold of every walk: says where it does not. */
interface WalkCheck {
  readonly sentence: string;
  readonly check: (walk: Walk, traces: Traces) => string | undefined;
}

function walksOf(subject: ContractSubject): fc.Arbitrary<Walk> {
  const { machine, input, eventsMax = 40 } = subject;
  const events = subject.events ?? eventsOfRole(subject);
  const drawn = fc.array(fc.record({ event: events, anyway: fc.nat(7).map((one) => one === 7) }), {
    maxLength: eventsMax,
    size: 'max',
  });
  return fc
    .record({
      events: drawn.map((list) => sensible(machine, input, list)),
      tape: fc.array(fc.nat(5), { maxLength: 12 }),
      cut: fc.nat(eventsMax),
    })
    .map((walk) => ({ ...walk, cut: walk.events.length === 0 ? 0 : walk.cut % walk.events.length }));
}

/** Events that a part in its role may receive. */
function eventsOfRole({
  speaks,
  values,
  weights,
  members = {},
}: ContractSubject): fc.Arbitrary<LockstepEvent> {
  if (!speaks) throw new TypeError('contractOf: found neither `speaks` nor `events`, expected one of them');
  const of: Members = {
    membersOf: (role) => ((role !== undefined && members[role]) || partners) as readonly Address[],
  };
  return speaks.events(fc, of, { values, weights });
}

/** A port whose tick is set from outside: the number of the event, sent by one partner after the other, as where executions are compared. */
const silentClock = (): Port & { now: number } => ({
  ...silentPort,
  now: 0,
  self: 3 as Address,
  get from() {
    return (this.now % 3) as Address;
  },
});

/** Leaves out the events that nobody decides on, unless they come anyway. */
function sensible(
  machine: AnyStateMachine,
  input: () => unknown,
  drawn: readonly { readonly event: LockstepEvent; readonly anyway: boolean }[],
): LockstepEvent[] {
  const kept: LockstepEvent[] = [];
  const tables = compile(machine);
  try {
    const port = silentClock();
    const snapshot = tables.start(input(), port);
    for (const { event, anyway } of drawn) {
      if (!anyway && !tables.decides(snapshot.configuration, event.type)) continue;
      kept.push(event);
      port.now++;
      tables.react(snapshot, event, port);
    }
  } catch {
    // The sequence ends with the event that it does not bear.
  }
  return kept;
}

/** What the walks of a subject came to. */
interface Walked {
  readonly broken: ReadonlySet<WalkCheck>;
  readonly met: ReadonlySet<Configuration>;
  /** Types of events that were drawn. */
  readonly types: ReadonlySet<string>;
}

const parameters = ({ runs = 60 }: ContractSubject) => ({ numRuns: runs, seed: 7 });

/** Goes through the same walks once for all checks, since what XState does takes most of the time. */
function walked(subject: ContractSubject, checks: readonly WalkCheck[]): Walked {
  const broken = new Set<WalkCheck>();
  const met = new Set<Configuration>();
  const types = new Set<string>();
  const law = fc.property(walksOf(subject), (walk) => {
    const traces = new Traces(walk);
    for (const one of checks) if (!broken.has(one) && isBroken(one, walk, traces)) broken.add(one);
    visit(subject, walk, met, types);
  });
  fc.assert(law, parameters(subject));
  return { broken, met, types };
}

function isBroken({ check }: WalkCheck, walk: Walk, traces: Traces): boolean {
  try {
    return check(walk, traces) !== undefined;
  } catch {
    return true;
  }
}

/** The simplest walk of which a sentence does not hold. */
function simplestFailure(subject: ContractSubject, { sentence, check }: WalkCheck): readonly string[] {
  const found = (walk: Walk) => check(walk, new Traces(walk));
  const { counterexample, errorInstance } = fc.check(
    fc.property(walksOf(subject), (walk) => found(walk) === undefined),
    parameters(subject),
  );
  if (!counterexample) return [`${sentence}: fails now and then, and not a second time`];
  const [walk] = counterexample;
  return [
    `${found(walk) ?? String(errorInstance)}, with the picks ${JSON.stringify(walk.tape)}, after ${valueText(walk.events)}`,
  ];
}

function survivesJson(name: string, { steps }: Trace): string | undefined {
  for (const { context } of steps) {
    const found = firstDifference(
      JSON.parse(JSON.stringify(context)),
      withoutUndefined(context),
      `${name}: context`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** JSON knows no undefined: a key with it and a missing key count as the same. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutUndefined(one) ?? null);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, withoutUndefined(one)]])),
  );
}

/** Adds what a walk meets, up to an event that the part does not bear. */
function visit(
  subject: ContractSubject,
  { events }: Walk,
  met: Set<Configuration>,
  types: Set<string>,
): void {
  const tables = compile(subject.machine);
  const port = silentClock();
  const snapshot = tables.start(subject.input(), port);
  met.add(snapshot.configuration);
  for (const event of events) {
    types.add(event.type);
    port.now++;
    try {
      tables.react(snapshot, event, port);
    } catch {
      return;
    }
    met.add(snapshot.configuration);
  }
}

function undecidedPairs(
  name: string,
  subject: ContractSubject,
  { met, types: drawn }: Walked,
): readonly string[] {
  const tables = compile(subject.machine);
  const types = new Set(
    tables.transitions
      .map(({ event }) => event)
      .filter((type) => type !== '' && !type.includes('*') && !type.startsWith('xstate.')),
  );
  for (const type of drawn) types.add(type);
  const failures = new Set<string>();
  const needed = new Set<string>();
  const leaves = new Set<string>();
  for (const configuration of met) {
    const active = configuration.name.split(', ');
    for (const leaf of active) leaves.add(leaf);
    for (const type of types) {
      if (tables.decides(configuration, type)) continue;
      const listed = active.filter((leaf) => subject.undecided?.[leaf]?.includes(type));
      for (const leaf of listed) needed.add(`${leaf} ${type}`);
      if (listed.length === 0)
        failures.add(`${name}: state "${configuration.name}" does not decide on "${type}"`);
    }
  }
  for (const [leaf, listed] of Object.entries(subject.undecided ?? {})) {
    for (const type of listed)
      if (!needed.has(`${leaf} ${type}`))
        failures.add(
          `${name}: "${type}" is listed as undecided in "${leaf}", but is decided there, or "${leaf}" was not reached`,
        );
  }
  for (const node of stateNodes(subject.machine)) {
    // A state with always-transitions may be one that is only passed through.
    const leaf = node.path.join('.');
    const rests = Object.keys(node.states).length === 0 && (node.always ?? []).length === 0;
    const excused = subject.unreached?.includes(leaf) ?? false;
    if (rests && !leaves.has(leaf) && !excused)
      failures.add(`${name}: the events never lead to the state "${leaf}"`);
    if (leaves.has(leaf) && excused)
      failures.add(`${name}: the state "${leaf}" is listed as unreached, but is reached`);
  }
  return [...failures];
}

function undeclared(name: string, role: AnyRole, { steps }: Trace): string | undefined {
  for (const { out } of steps)
    for (const [what, said] of out as readonly (readonly [string, never])[]) {
      const found = role.undeclared(what, said);
      if (found !== undefined) return `${name}: ${found}`;
    }
  return undefined;
}

function idle(name: string, subject: ContractSubject): readonly string[] {
  const wiring = new Wiring();
  wiring.place(name, subject.machine, subject.input());
  const run = new Run(wiring);
  const sent: string[] = [];
  run.messages$.subscribe(({ message }) => sent.push(message.event.type));
  const { deliveries, failure } = run.toEnd();
  if (deliveries === 0 && failure === undefined) return [];
  return [`${name}: posted ${failure?.event ?? sent.join(', ')} before anybody sent it anything`];
}
