/* What the page and its simulator say to each other: plain data, which a worker can be sent. */
import type { Scene } from '../machines/scene.ts';

/** What a page was opened with: a scenario or a recording, with every file it refers to. */
export interface Opening {
  readonly kind: 'scenario' | 'recording';
  /** Its whole name: what it refers to is looked for beside it. */
  readonly file: string;
  readonly text: string;
  /** The name for people. */
  readonly label: string;
  /** Texts of further files by their whole names. */
  readonly files: Readonly<Record<string, string>>;
  /** The configuration of the project whose machine it names. */
  readonly configuration?: string;
  /** What a machine has worked out of the programs where it is opened, since it cannot in a page. */
  readonly handed?: { readonly machine: string; readonly what: unknown };
}

/** A page that is no run: what can be opened, and what a campaign has come to. */
export interface Catalogue {
  readonly kind: 'catalogue';
  readonly title: string;
  readonly label: string;
  readonly entries: readonly CatalogueEntry[];
  readonly campaign?: CampaignView;
}

/** Something that can be opened. */
export interface CatalogueEntry {
  readonly file: string;
  /** Its page, below the page of the list. */
  readonly place: string;
  readonly title: string;
  /** A machine, or what kind of file it is. */
  readonly group: string;
  readonly words: string;
  readonly verdict?: string;
}

/** How many of how many. */
export interface ShareView {
  readonly seen: number;
  readonly of: number;
}

/** What a campaign of `fuzz` has come to. */
export interface CampaignView {
  readonly machine: string;
  readonly seed: number;
  readonly runs: number;
  readonly deliveries: number;
  /** In how many different ends the runs ended, and how likely the next one ends in a new one. */
  readonly ends: string;
  readonly covered?: string;
  readonly strategies: readonly { readonly name: string; readonly runs: number }[];
  readonly findings: readonly {
    readonly verdict: string;
    readonly what: string;
    readonly by: readonly {
      readonly strategy: string;
      readonly afterRuns: number;
      readonly failures: number;
    }[];
    /** Its page and its recording, where there is one. */
    readonly place?: string;
    readonly file?: string;
  }[];
  /** By state machine. */
  readonly coverage: readonly {
    readonly type: string;
    readonly shares: Readonly<Record<'states' | 'transitions' | 'guards' | 'orders', ShareView>>;
    readonly missing: readonly string[];
  }[];
}

/** A list of numbers for each delivery of a run, in order: all that a timeline draws. */
export interface DeliveryColumns {
  readonly count: number;
  readonly tick: Float64Array;
  /** Receivers and senders as numbers of `Opened.actors`; the world is -1. */
  readonly to: Int32Array;
  readonly from: Int32Array;
  /** Number in `Opened.types`. */
  readonly type: Int32Array;
  /** The delivery whose handling posted this message, -1 for a message from the outside. */
  readonly cause: Int32Array;
  /** State of the receiver afterwards: number in `Opened.states`. */
  readonly state: Int32Array;
}

/** A state that an actor comes to without a delivery: it crashes, or comes back from a crash. */
export interface StateChange {
  /** Number in `Opened.actors`. */
  readonly actor: number;
  /** The moment at which it came: a step of the network, or the delivery after which it came; -1 before the first. */
  readonly at: number;
  readonly tick: number;
  /** Number in `Opened.states`. */
  readonly state: number;
}

/** A question that the run asked: which message next, or what an actor or a fault decides. */
export interface PickRow {
  /** The delivery in front of which it was asked. */
  readonly at: number;
  readonly tick: number;
  readonly what: string;
  readonly count: number;
  readonly pick: number;
}

/**
 * A mark above the timeline.
 *
 * Details: each step of an asynchronous network has one, and is a moment of its own between two deliveries: behind delivery n they are n + 1/2, n + 2/3, n + 3/4 …
 */
export interface Mark {
  readonly kind: 'finding' | 'fault';
  /** The moment after which it was seen; -1 before the first delivery. */
  readonly at: number;
  readonly tick: number;
  readonly title: string;
  readonly why: string;
  readonly actors: readonly string[];
}

export interface ActorInfo {
  readonly name: string;
  /** Id of its state machine. */
  readonly machine: string;
  /** State before the first delivery: number in `Opened.states`. */
  readonly begins: number;
}

export interface StateInfo {
  readonly name: string;
  readonly waiting: boolean;
}

export interface WaitingRow {
  readonly actor: string;
  readonly state: string;
  readonly since: number;
  readonly waitsFor: string;
  readonly on: readonly string[];
}

/** How a run ended. */
export interface Ending {
  readonly verdict: 'ok' | 'violated' | 'deadlock' | 'livelock' | 'error';
  /** True for a run that could have gone on: its last tick or step is given, or it is longer than a page keeps. */
  readonly isSoFar?: true;
  readonly ticks: number;
  readonly deliveries: number;
  readonly fingerprint: string;
  /** Why, for a failure or a livelock. */
  readonly words: string;
  /** Who failed, or goes round in a livelock. */
  readonly actors: readonly string[];
  readonly waiting: readonly WaitingRow[];
  readonly cycle: readonly string[];
  /** The machine's own figures. */
  readonly figures: readonly { readonly label: string; readonly value: string }[];
}

/** A run as the page knows it. */
export interface RunView {
  readonly actors: readonly ActorInfo[];
  readonly types: readonly string[];
  readonly states: readonly StateInfo[];
  readonly columns: DeliveryColumns;
  /** In the order in which they came. */
  readonly changes: readonly StateChange[];
  readonly picks: readonly PickRow[];
  readonly marks: readonly Mark[];
  /** Who has messages under way to whom at the end: pairs of names, each once. */
  readonly left: readonly (readonly [from: string, to: string])[];
  readonly ending: Ending;
  /** True while the run is carried out: there is more of it to come. */
  readonly isRunning?: true;
  /** How far a run comes that is still carried out, where a recording tells. */
  readonly expected?: { readonly deliveries: number; readonly ticks: number };
  /** True until properties have judged it: `ending` says nothing yet. */
  readonly isUnjudged?: true;
  /** Set where the run has more deliveries than a page keeps. */
  readonly cutAt?: number;
}

/** The parts of a page beside the actor. */
export type PanelName =
  | 'machine'
  | 'explorer'
  | 'message'
  | 'choices'
  | 'findings'
  | 'waits'
  | 'explanation'
  | 'wiring';

/** Where a page begins when its address says nothing. */
export interface OpensAt {
  readonly at: number;
  readonly actor?: string;
  readonly panel: PanelName;
}

export interface Opened {
  readonly title: string;
  readonly machine: string;
  readonly file: string;
  readonly asynchronous: boolean;
  readonly kind: Opening['kind'];
  /** True where the machine draws itself as it stands. */
  readonly hasScene: boolean;
  /** In what a recording no longer is the run that it recorded. */
  readonly difference?: string;
  readonly opensAt: OpensAt;
  readonly run: RunView;
}

/** What properties have found in a run. */
export interface Judgement extends Pick<RunView, 'marks' | 'ending'> {
  /** In what a recording no longer is the run that it recorded. */
  readonly difference?: string;
}

/** Data of a context or a message as a tree: what JSON has no word for is a record with the key `$`. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly $: string }
  | { readonly [key: string]: Plain };

/** A message that was delivered, or that is under way. */
export interface MessageView {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly payload: Plain;
  /** When it is due; undefined in an asynchronous network. */
  readonly due?: number;
}

/** A run as it stands after one delivery, or one step of the network. */
export interface Moment {
  /** The delivery, -1 before the first, or a step of the network as `Mark` has it. */
  readonly at: number;
  readonly tick: number;
  readonly delivered?: MessageView;
  /** State of every actor that exists, as numbers in `states`. */
  readonly states: readonly { readonly actor: string; readonly state: string; readonly waiting: boolean }[];
  /** The actor that was asked for. */
  readonly actor?: {
    readonly name: string;
    readonly state: string;
    readonly active: readonly string[];
    /** What it waits for, when it does. */
    readonly waiting?: WaitingRow;
    readonly context: Plain;
    /** Its context before, where it was the receiver, or crashed or came back. */
    readonly before?: Plain;
    readonly inbox: readonly MessageView[];
  };
  /** Messages under way, at most some hundred. */
  readonly underWay: readonly MessageView[];
  readonly underWayCount: number;
  /** The machine's own picture, where it was asked for and there is one. */
  readonly scene?: Scene;
}

/** What could have been picked. */
export interface Alternatives {
  readonly pick: number;
  readonly answers: readonly string[];
}

/** What an exploration of all schedules came to. */
export interface ExploredView {
  readonly verdict: Ending['verdict'] | 'incomplete';
  readonly states: number;
  readonly transitions: number;
  /** The states before the first tick. */
  readonly starts: readonly number[];
  /** Where it stopped before its end. */
  readonly limit?: string;
  readonly findings: readonly {
    readonly verdict: Ending['verdict'];
    readonly what: string;
    readonly why: string;
    /** The state after which it shows. */
    readonly state: number;
    /** False for what no run shows. */
    readonly isRun: boolean;
  }[];
  /** All ticks between states, where these are few. */
  readonly graph?: readonly { readonly from: number; readonly to: readonly number[] }[];
}

/** A tick that can happen next: where it leads, and what is found there. */
export interface StepView {
  readonly to: number;
  readonly deliveries: readonly string[];
  readonly wrong: readonly string[];
}

/** A state of an exploration. */
export interface StateView {
  readonly number: number;
  readonly actors: readonly { readonly actor: string; readonly state: string; readonly waiting: boolean }[];
  readonly messages: readonly string[];
  readonly wrong: readonly string[];
  readonly next: readonly StepView[];
  /** States from which a tick leads here. */
  readonly before: readonly number[];
}

/** Another run beside the opened one: it takes another answer at one pick, or is the shortest way to a finding. */
export interface Fork {
  readonly run: RunView;
  /** The first delivery that differs. */
  readonly differs: number;
  /** In one line, what it is. */
  readonly words: string;
  /** The changed run as a recording, ready to be saved. */
  readonly recording: string;
}

/** A piece of an explanation; one with a delivery leads there. */
export interface ExplanationPart {
  readonly text: string;
  readonly at?: number;
}

/** What `lockstep explain` tells, in pieces. */
export interface ExplanationView {
  readonly parts: readonly ExplanationPart[];
}

/** Questions to the simulator and their answers. */
export interface Questions {
  carryOut: { ask: Opening; answer: Opened };
  judge: { ask: Opening; answer: Judgement };
  moment: {
    ask: { readonly at: number; readonly actor?: string; readonly fork?: boolean; readonly scene?: boolean };
    answer: Moment;
  };
  alternatives: { ask: { readonly pick: number }; answer: Alternatives };
  fork: { ask: { readonly pick: number; readonly answer: number }; answer: Fork };
  explore: { ask: Record<string, never>; answer: ExploredView };
  explored: { ask: { readonly state: number }; answer: StateView };
  wayTo: { ask: { readonly finding: number }; answer: Fork };
  explain: { ask: Record<string, never>; answer: ExplanationView };
}

export type Ask = {
  [Q in keyof Questions]: { readonly id: number; readonly question: Q; readonly given: Questions[Q]['ask'] };
}[keyof Questions];

export type Answer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly progress: string }
  /** What can be shown of an answer that takes long, before it is whole. */
  | { readonly id: number; readonly sofar: Opened };
