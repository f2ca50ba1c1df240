/** A state of a machine, by a name that depends on the machine alone. */
export type Node = number | string;

/** Something that is shown; `actor` is the one who shows it, '' where that is not known. */
export interface ShownThere {
  readonly actor: string;
  readonly what: unknown;
}

/** Where a machine can begin, and what it has shown by then. */
export interface SourceStart {
  readonly to: Node;
  readonly shown: readonly ShownThere[];
}

/** A step of a machine. */
export interface SourceStep extends SourceStart {
  /** Names of the actors that take part; none where nothing is known of actors. */
  readonly actors: readonly string[];
  readonly words: string;
}

/** States and steps of a machine, whatever it is made of. */
export interface StepSource {
  readonly starts: readonly SourceStart[];
  stepsFrom(node: Node): readonly SourceStep[];
  stateOf(node: Node): unknown;
}
