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
export { type Coverage, mergeCoverage } from './kernel/coverage.ts';
export { coverageOf } from './kernel/coverage-sum.ts';
export { KernelError } from './kernel/errors.ts';
export { type ExploreOptions, Explorer } from './kernel/explore/explorer.ts';
export type { Found, Key, Observation, Observer, Pending } from './kernel/explore/observer.ts';
export { GlobalState, type LocalState, type MessageUnderWay } from './kernel/global-state.ts';
export { component, type Envelope, type Outbox, refused } from './kernel/kit.ts';
export { type Address, Message, type Post, type Probe, type Report, WORLD } from './kernel/message.ts';
export type { Network } from './kernel/network.ts';
export { type Outcome, type Verdict, type Violation, waitsFor } from './kernel/outcome.ts';
export { type AddressOf, field, type Kind } from './kernel/protocol/field.ts';
export {
  type AnyProtocol,
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  type ObservationOf,
  Protocol,
  protocol,
  Role,
  type RoleOf,
  type RoleShape,
  type ShownBy,
} from './kernel/protocol/protocol.ts';
export { Fixed, fixed, type Resource } from './kernel/resource.ts';
export { type Delivery, Run, type RunOptions, type RunSnapshot } from './kernel/run.ts';
export { DelayBoundedChoices } from './kernel/schedules/delay-bounded.ts';
export { EnumerationChoices } from './kernel/schedules/enumeration.ts';
export { PctChoices } from './kernel/schedules/pct.ts';
export { PosChoices } from './kernel/schedules/pos.ts';
export { RoundRobinChoices } from './kernel/schedules/round-robin.ts';
export { Shared, shared } from './kernel/shared.ts';
export { TransitionCounts } from './kernel/tables.ts';
export { memberOf, Wiring } from './kernel/wiring.ts';
export type {
  Assembly,
  Figure,
  Given,
  KnownMachine,
  Machine,
  MachineEntry,
  View,
} from './machines/machine.ts';
export { type Mutant, type Mutants, mutantSentences, withMutants } from './machines/mutant.ts';
export {
  actorsNamed,
  type NamedActor,
  type Scene,
  type SceneBox,
  type SceneLine,
  type SceneText,
  type Tone,
} from './machines/scene.ts';
export { type Configuration, defineConfig } from './manifests/define-config.ts';
export {
  type Definition,
  defineMachine,
  type Later,
  later,
  type Manifest,
} from './manifests/define-machine.ts';
export { machineNamed, machines } from './manifests/machines.ts';
export type { Access, History } from './properties/consistency/history.ts';
export { coherent, linearizable, sequentiallyConsistent } from './properties/consistency/oracles.ts';
export { recordHistory } from './properties/consistency/recorder.ts';
export {
  casObject,
  queueObject,
  registerObject,
  type SequentialObject,
  setObject,
} from './properties/consistency/sequential-object.ts';
export { consistency } from './properties/consistency/tester.ts';
export { refutationWords } from './properties/consistency/verdict.ts';
export { shrinkTape } from './properties/explore/shrink.ts';
export { anyTape } from './properties/explore/tapes.ts';
export { type Property, property, watch } from './properties/property.ts';
export { checkTrace, type TraceOptions, type TraceResult } from './properties/refinement/check-trace.ts';
export {
  type EventMap,
  type RefinementOptions,
  refinement,
  type StateMap,
} from './properties/refinement/refinement.ts';
export type { ShownEvent } from './properties/refinement/shown-event.ts';
export {
  type SmallMachine,
  type SmallStep,
  type Specification,
  SpecificationError,
} from './properties/refinement/specification.ts';
export { message, type Pattern, shown } from './properties/temporal/pattern.ts';
export { type PatternsOf, patternsOf } from './properties/temporal/patterns-of.ts';
export {
  always,
  atMostOne,
  atRest,
  before,
  eventually,
  leadsTo,
  never,
  reachable,
  until,
} from './properties/temporal/temporal.ts';
export { loadScenario, parseScenario } from './scenarios/load.ts';
export { loadRecording, recordingOf, saveRecording } from './scenarios/recording.ts';
export { replay } from './scenarios/replay.ts';
export { simulate } from './scenarios/simulate.ts';
