/** The public surface of Lockstep: build a run, follow its streams, write an actor, a machine and a property. */
export { barrier } from './actors/common/barrier.ts';
export { ByteMemory } from './actors/common/byte-memory.ts';
export { mutex } from './actors/common/mutex.ts';
export { Program, programOf } from './actors/common/program.ts';
export {
  type Choices,
  canonical,
  RandomChoices,
  RecordingChoices,
  type Tape,
  TapeChoices,
} from './kernel/choices.ts';
export { compile } from './kernel/compile.ts';
export { KernelError } from './kernel/errors.ts';
export { component, refused } from './kernel/kit.ts';
export { type Address, Message, type Post, type Probe, type Report, WORLD } from './kernel/message.ts';
export { type Outcome, type Verdict, type Violation, waitsFor } from './kernel/outcome.ts';
export { Fixed, fixed, type Resource } from './kernel/resource.ts';
export { type Delivery, Run, type RunOptions, type RunSnapshot } from './kernel/run.ts';
export { TransitionCounts } from './kernel/tables.ts';
export { memberOf, Wiring } from './kernel/wiring.ts';
export type { Assembly, Figure, Given, Machine } from './machines/machine.ts';
export { machines } from './machines/machines.ts';
export {
  type Finding,
  judged,
  type Property,
  property,
  type RunStreams,
  watch,
} from './properties/property.ts';
export { loadScenario, parseScenario } from './scenarios/load.ts';
export { loadRecording, recordingOf, saveRecording } from './scenarios/recording.ts';
export { replay } from './scenarios/replay.ts';
export { simulate } from './scenarios/simulate.ts';
