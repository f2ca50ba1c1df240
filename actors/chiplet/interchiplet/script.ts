/** A step of a program given as data; times in cycles of the process, `sleep` in seconds of the host. */
export type ScriptStep =
  | readonly ['compute', cycles: number]
  | readonly ['send', x: number, y: number, bytes: number]
  | readonly ['recv', x: number, y: number, bytes: number]
  | readonly ['barrier', uid: number, count: number]
  | readonly ['lock', uid: number]
  | readonly ['unlock', uid: number]
  | readonly ['launch', x: number, y: number]
  | readonly ['waitlaunch']
  | readonly ['sleep', seconds: number];

/** A whole program. */
export type Script = readonly ScriptStep[];

/** Ticks of a second of the host: a tick is a microsecond, in which a command goes from a process to the coordinator. */
export const ticksPerSecond = 1_000_000;

/** What a process reports of a step that took part in the coordinator's work. */
export interface LoggedStep {
  /** The step; of a `waitlaunch` with the launcher that it found. */
  readonly step: readonly (string | number)[];
  /** Cycle of the timing command, and the one in which the process went on. */
  readonly issued: number;
  readonly synced: number;
}

/** A logged step as one list, as reference logs have it. */
export const logRow = ({ step, issued, synced }: LoggedStep): readonly (string | number)[] => [
  ...step,
  issued,
  synced,
];
