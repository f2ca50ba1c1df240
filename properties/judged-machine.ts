import type fc from 'fast-check';
import type { KnownMachine, MachineEntry } from '../machines/machine.ts';
import type { WrittenScenario } from '../scenarios/written.ts';
import type { MachineProperties } from './properties.ts';

/** A machine by its name, with what judges its runs and what generates its scenarios; each is loaded when it is asked for. */
export interface JudgedMachine extends MachineEntry {
  /** Undefined for a machine that has none. */
  properties(): Promise<MachineProperties | undefined>;
  /** Undefined for a machine that can be fuzzed with given scenarios only. */
  generator(): Promise<fc.Arbitrary<WrittenScenario> | undefined>;
}

/** The properties of a machine; undefined when it has none, or when only the machine itself was given. */
export const propertiesOf = async (known: KnownMachine): Promise<MachineProperties | undefined> =>
  isJudged(known) ? known.properties() : undefined;

const isJudged = (known: KnownMachine): known is JudgedMachine =>
  typeof (known as Partial<JudgedMachine>).properties === 'function';
