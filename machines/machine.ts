import type { z } from 'zod';
import type { InjectedFault } from '../kernel/faults.ts';
import type { Network } from '../kernel/network.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { AnyProtocol } from '../kernel/protocol/protocol.ts';
import type { Run } from '../kernel/run.ts';
import type { Wiring } from '../kernel/wiring.ts';
import { briefly, MachineError, ofMachine } from './machine-error.ts';
import type { Scene } from './scene.ts';

/** What a machine is built from: the checked parts of a scenario. */
export interface Given<Config = unknown, Programs = unknown> {
  readonly name: string;
  readonly config: Config;
  readonly programs: Programs;
  /** Ids of mutants in the machine's fault catalogue, applied in this order. */
  readonly mutants: readonly string[];
  /** What the run will inject; none when absent. A machine that is built in several ways takes the one whose messages are those of the parts. */
  readonly faults?: readonly InjectedFault[];
  /** True when something other than first-come order will deliver the messages. */
  readonly scheduled: boolean;
  /** True when nobody looks inside its parts: a machine with fast twins that have the same picks, borders, probes and results takes them. False when absent. */
  readonly fast?: boolean;
  /** Keys of the network that are other ones than the machine has; those of the machine when absent. Only machines with asynchronous wirings have one. */
  readonly network?: Network | undefined;
}

/** A machine ready to run once: build a new one for every run. */
export interface Assembly<Result = unknown> {
  readonly wiring: Wiring;
  /** Deliveries one tick may have before it is a livelock; the kernel's default when absent. */
  readonly deliveriesPerTickMax?: number;
  /** True when it has fast twins because nobody looks inside: built without `Given.fast`, the same run has more to show. */
  readonly fast?: boolean;
  /** Sentences that what is attached judges: of runs alone, so that an exploration leaves them open. */
  readonly judgedInRuns?: readonly string[];
  /** Attaches what must see the whole run. Called before the first step; nothing in the run depends on it. */
  attach?(run: Run): void;
  /**
   * Follows a run as the machine's own event log: hands each record, ready for JSON, to `take`. Called before the first step.
   *
   * Details: what is handed to `atEnd` is called once when the run is over, and may hand on further records: of what has not ended.
   */
  follow?(run: Run, take: (record: object) => void, atEnd: (finish: () => void) => void): void;
  /** The machine's own figures, of a run that ended or stands still. */
  result(run: Run): Result;
  /** The machine as it stands, which the viewer draws as its play head moves: it reads the contexts of the actors and changes nothing. Without it the viewer draws who speaks to whom. */
  scene?(run: Run): Scene;
}

/** One line that a machine adds to a report for people. */
export interface Figure {
  readonly label: string;
  readonly value: string;
}

/** A way to look at the event log of a run, by a name that the command line gives it. */
export interface View<Config = unknown, Programs = unknown> {
  /** One sentence for lists: what it shows. */
  readonly summary: string;
  /** What the drawing is: `txt` can be told on a terminal, too. */
  readonly extension: 'txt' | 'svg' | 'json';
  draw(given: Given<Config, Programs>, records: readonly object[]): string;
}

/**
 * A kind of computer: how it is configured, programmed, wired and read.
 *
 * Details: `defineMachine` joins it with its properties, generator and verbs.
 */
export interface Machine<Config = unknown, Programs = unknown, Result = unknown> {
  readonly name: string;
  /** Schema of the scenario's `config`, with defaults and a `.describe()` on every key. */
  readonly config: z.ZodType<Config>;
  /** Schema of the scenario's `programs`. A program given as `{ module: 'file.ts#export' }` reaches it as `{ module, program }` with the loaded function, a text given as `{ file: 'name' }` as `{ file, text }`. */
  readonly programs: z.ZodType<Programs>;
  /** The fault catalogue: id and sentence. */
  readonly mutants: ReadonlyMap<string, string>;
  /** How long a tick is, in femtoseconds; absent for a machine whose ticks stand for themselves. */
  tickFemtoseconds?(config: Config): number;
  /** True for a machine with asynchronous wirings, whose scenarios may choose the network. */
  readonly asynchronous?: boolean;
  /**
   * Which actors may crash and begin anew, by name; none when absent.
   *
   * Gotchas: such an actor begins with the input of its placement again, which must hold nothing that changes.
   */
  crashable?(actor: string): boolean;
  /**
   * The protocol that its actors speak: every message is checked against it, corrupted fields keep their kinds, and `symmetric` follows from it.
   *
   * Details: an actor has the role of its name: `Cache[2]` is a `Cache`.
   */
  readonly protocol?: AnyProtocol;
  /** The role whose actors can change places without anybody noticing, for an exhaustive check; none when absent. What names them is declared in the protocol. */
  readonly symmetric?: string;
  /** Loads what these programs need, once, before anything is checked or assembled: a parser, for example. */
  prepare?(programs: Programs): Promise<void>;
  /** What `prepare` is for, worked out for a scenario and handed to who carries it out where that cannot be loaded, such as a page: plain data. */
  handOver?(config: Config, programs: Programs): unknown;
  /** Takes what `handOver` gave, before `prepare`. */
  takeOver?(handed: unknown): void;
  /** Checks what the schemas cannot say, since it concerns several keys. Each finding names the path it is about. */
  check?(
    config: Config,
    programs: Programs,
  ): readonly {
    readonly path: readonly (string | number)[];
    readonly found: string;
    readonly expected: string;
  }[];
  assemble(given: Given<Config, Programs>): Assembly<Result>;
  /** The result for people: label and value, most important first. */
  figures(result: Result, outcome: Outcome): readonly Figure[];
  /** Why a run stands still, in the words of the machine, line by line; the report tells this in place of the list of waiting actors. */
  standStill?(result: Result): readonly string[];
  /** First record of the event log of a run. */
  logHeader?(given: Given<Config, Programs>): object;
  /** The event log of a run as one picture in SVG. */
  picture?(given: Given<Config, Programs>, records: readonly object[]): string;
  /** Further ways to look at the event log of a run, by name. */
  readonly views?: Readonly<Record<string, View<Config, Programs>>>;
  /** The event log of a run as a few lines of text for a terminal of this width. */
  sketch?(given: Given<Config, Programs>, records: readonly object[], width: number): string;
}

/** Builds a machine with the network that its scenario chose. Errors: KRN016 for a network that cannot be so; `MachineError` for a machine that cannot be assembled. */
export function assembled<Config, Programs, Result>(
  machine: Machine<Config, Programs, Result>,
  given: Given<Config, Programs>,
): Assembly<Result> {
  const assembly = ofMachine(machine.name, 'assemble', () => machine.assemble(given));
  const { wiring, result } = (assembly ?? {}) as Partial<Assembly<Result>>;
  if (typeof wiring?.reserve !== 'function' || typeof result !== 'function')
    throw new MachineError(
      machine.name,
      `its assemble gives ${briefly(assembly)}, expected { wiring, result }: a Wiring, and a function that reads the run`,
    );
  if (machine.protocol) assembly.wiring.speak(machine.protocol);
  if (given.network) assembly.wiring.chooseNetwork(given.network);
  return assembly;
}

/** A machine by its name, whose modules are loaded when it is asked for: a command for one machine does not wait for all. */
export interface MachineEntry {
  /** What scenarios name it by: `machine.name`. */
  readonly name: string;
  load(): Promise<Machine>;
}

/** A machine that was loaded, or can be. */
export type KnownMachine = Machine | MachineEntry;

/** The machine itself, loaded when it has not been. */
export const loadMachine = async (known: KnownMachine): Promise<Machine> =>
  'load' in known ? known.load() : known;

/** True for what `defineMachine` gives, and for a machine by itself. */
export const isMachine = (value: unknown): value is KnownMachine =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  ('load' in value ? typeof value.load === 'function' : 'assemble' in value && 'mutants' in value);
