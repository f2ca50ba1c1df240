import type { KnownMachine } from '../machines/machine.ts';

/** What stands in `lockstep.config.ts` of a project. */
export interface Configuration {
  /** Its machines, which commands then know by their names: what `defineMachine` gives, or where it is, `./mesi.ts#mesi`. */
  readonly machines?: readonly (KnownMachine | string)[];
  /** Folders and files with its scenarios, for `lockstep list`; relative to the configuration. */
  readonly scenarios?: string | readonly string[];
}

/** Describes a project to the command line: the default export of `lockstep.config.ts`, or `.js`, in its folder. */
export const defineConfig = (configuration: Configuration): Configuration => configuration;
