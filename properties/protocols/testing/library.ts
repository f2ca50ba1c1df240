import { RandomChoices } from '../../../kernel/choices.ts';
import { Explorer } from '../../../kernel/explore/explorer.ts';
import type { Observer } from '../../../kernel/explore/observer.ts';
import type { Network } from '../../../kernel/network.ts';
import { PctChoices } from '../../../kernel/schedules/pct.ts';
import { assembled } from '../../../machines/machine.ts';
import { machines } from '../../../manifests/machines.ts';
import { loadedMachine, propertiesNamed } from '../../../manifests/testing/named.ts';
import { givenOf } from '../../../scenarios/given.ts';
import { parseScenario } from '../../../scenarios/load.ts';
import type { WrittenScenario } from '../../../scenarios/written.ts';
import { Trials } from '../../explore/trial.ts';

/** A way to run or check a machine of the library. */
export interface Setting {
  readonly config: WrittenScenario['config'];
  readonly network?: Network;
  /** Last step of a random run. */
  readonly until?: number;
  /** How the steps of a random run are chosen: `random`, each of those that can be next with the same probability, when absent. */
  readonly schedule?: 'random' | 'pct';
}

/** At what size a machine is checked with planted faults, and how random runs look for them. */
export interface LibraryEntry {
  readonly machine: string;
  readonly check: Setting;
  readonly fuzz: Setting;
  /**
   * Planted faults, with what finds them. Those marked `slow` are looked for by `campaign:protocols`, at a size of their own; those marked `endless` show in runs without end
   * only, which a single run is never known to be.
   */
  readonly faults: Readonly<
    Record<
      string,
      { readonly breaks: readonly (string | RegExp)[]; readonly slow?: true; readonly endless?: true }
    >
  >;
}

const leaders = 'at most one server is the leader of a term';
const complete = 'the leader of a term has every entry that was committed before';
const matching = 'logs with the same term at an index are equal up to it';
const applied = 'servers agree on every entry that they know to be committed';
const writer = 'while one cache may write the line, no other may read it';
const value = 'a load finds what was stored last';

const neighbours = 'no two neighbours eat at a time';
const eats = 'a philosopher who is hungry eats';
const largest = 'nobody but the node of the largest identity leads';
const learns = 'everybody learns who leads';
const stabilizes = 'some time there is exactly one privilege';
const stays = 'once there is exactly one privilege, there always is';
const money = 'a complete snapshot has all the money, and no more';
const completed = 'the snapshot is complete some time';
const inside = 'one process at a time is inside';
const order = 'who is inside has the oldest request';
const enters = 'who asks to enter enters';
const sameValue = 'replicas that have seen the same updates have the same value';
const rightValue = 'a replica that has seen all updates has their sum';
const holder = 'one client at a time takes the lock for its own';
const fenced = 'no write is taken after one of a later lease';
const tokens = 'every lease has a greater token than the one before';
const slots = 'servers agree on what is chosen for a slot';
const keeps = 'who leads in a later ballot has what was chosen before';
const served = 'one customer at a time is served';
const firstCome = 'who has a number when another one reaches the door is served first';
const prefix = 'what is delivered is the beginning of what was sent';
const acknowledged = 'what is acknowledged was delivered';
const delivered = 'everything that is to be sent is delivered';
/** A table of three with forks that never come back. */
const stuck = /^(Philosopher\[\d\] in (hungry|withOneFork)(, )?){3}$/;

/** The library: protocols of the literature (specification of protocols, 3.4). */
export const library: readonly LibraryEntry[] = [
  {
    machine: 'raft',
    check: { config: { servers: 3, terms: 2, commands: 1 } },
    fuzz: { config: { servers: 3, terms: 8, commands: 2, copies: 20 }, until: 150 },
    faults: {
      'counts-old-votes': { breaks: [leaders, complete] },
      'votes-twice': { breaks: [leaders] },
      'commits-alone': { breaks: [complete, applied] },
      'votes-for-older-logs': { breaks: [complete, applied], slow: true },
      'appends-anywhere': { breaks: [complete, matching, applied], slow: true },
    },
  },
  {
    machine: 'mesi',
    check: { config: { caches: 3 } },
    fuzz: { config: { caches: 3 }, until: 200 },
    faults: {
      'writes-early': { breaks: [writer, value] },
      'takes-late-put': { breaks: [writer, value] },
      'forgets-copy': { breaks: [value] },
      'exclusive-for-all': { breaks: [writer, value] },
    },
  },
  {
    machine: 'philosophers',
    check: { config: { philosophers: 3 } },
    fuzz: { config: { philosophers: 3 }, until: 100 },
    faults: {
      'same-order': {
        breaks: [[0, 1, 2].map((seat) => `Philosopher[${seat}] in withOneFork`).join(', ')],
      },
      'grants-twice': { breaks: [neighbours] },
      'keeps-a-fork': { breaks: [stuck, eats] },
      'forgets-who-waits': { breaks: [stuck, eats] },
    },
  },
  {
    machine: 'ring-election',
    check: { config: { ids: [2, 0, 3, 1] } },
    fuzz: { config: { ids: [2, 0, 3, 1] } },
    faults: {
      'passes-all': { breaks: [largest] },
      'leads-early': { breaks: [largest] },
      'stops-larger': { breaks: [learns] },
    },
  },
  {
    machine: 'k-state-ring',
    check: { config: { machines: 3, states: 3 } },
    fuzz: { config: { machines: 3, states: 3 }, until: 200 },
    faults: {
      'moves-always': { breaks: [stays] },
      'takes-next-state': { breaks: [stays] },
      'tells-before-moving': { breaks: [stays] },
      'two-states': { breaks: [stabilizes], endless: true },
    },
  },
  {
    machine: 'snapshot',
    check: { config: { balances: [0, 1, 0], transfers: 1 } },
    fuzz: { config: { balances: [2, 2, 2], transfers: 3 } },
    faults: {
      'forgets-channels': { breaks: [money] },
      'records-after-marker': { breaks: [money] },
      'records-again': { breaks: [money] },
      'keeps-a-marker': { breaks: [completed] },
    },
  },
  {
    machine: 'lamport-mutex',
    check: { config: { processes: 2, rounds: 2 } },
    fuzz: { config: { processes: 3, rounds: 3 } },
    faults: {
      'ignores-clocks': { breaks: [inside, order] },
      'enters-early': { breaks: [inside, order] },
      'both-oldest': { breaks: [inside, order] },
      'keeps-requests': { breaks: [enters, /in acknowledged/] },
    },
  },
  {
    machine: 'alternating-bit',
    check: { config: { messages: 3 }, network: { duplicating: false, lossy: 2 } },
    fuzz: { config: { messages: 3, capacity: 20 }, network: { duplicating: false, lossy: 2 }, until: 300 },
    faults: {
      'takes-any-ack': { breaks: [acknowledged] },
      'delivers-again': { breaks: [prefix] },
      'acknowledges-expected': { breaks: [acknowledged] },
      'gives-up': { breaks: [delivered] },
    },
  },
  {
    machine: 'sliding-window',
    check: { config: { messages: 3, window: 2 }, network: { duplicating: false, lossy: 1 } },
    fuzz: {
      config: { messages: 5, window: 2, capacity: 20 },
      network: { duplicating: false, lossy: 4 },
      until: 300,
    },
    faults: {
      'too-few-numbers': { breaks: [prefix] },
      'takes-old-acks': { breaks: [acknowledged] },
      'leaves-gaps': { breaks: [prefix] },
      'gives-up': { breaks: [delivered] },
    },
  },
  {
    machine: 'gossip-counter',
    check: { config: { updates: [1, 1] } },
    fuzz: { config: { updates: [2, 2, 2] }, until: 100 },
    faults: {
      adds: { breaks: [sameValue, rightValue] },
      overwrites: { breaks: [sameValue, rightValue] },
      'one-entry': { breaks: [sameValue, rightValue] },
      'one-number': { breaks: [sameValue, rightValue] },
    },
  },
  {
    machine: 'lease-lock',
    check: { config: { clients: 2, rounds: 1, lease: 3, drift: 1 } },
    // What goes wrong is that one message comes late: rare where all are equally likely.
    fuzz: { config: { clients: 2, rounds: 3, lease: 3, drift: 1 }, until: 400, schedule: 'pct' },
    faults: {
      'no-fencing': { breaks: [fenced] },
      'same-token': { breaks: [tokens] },
      'counts-from-grant': { breaks: [holder] },
      'no-margin': { breaks: [holder] },
    },
  },
  {
    machine: 'multi-paxos',
    check: { config: { servers: 3, commands: 2, ballots: 2 } },
    fuzz: { config: { servers: 3, commands: 2, ballots: 20 }, until: 150 },
    faults: {
      'ignores-promises': { breaks: [slots, keeps] },
      'accepts-lower': { breaks: [slots, keeps] },
      'leads-alone': { breaks: [slots, keeps] },
      'forgets-accepted': { breaks: [slots, keeps] },
    },
  },
  {
    machine: 'bakery',
    check: { config: { customers: 2, rounds: 1 } },
    fuzz: { config: { customers: 3, rounds: 2 }, until: 600 },
    faults: {
      'awaits-no-choice': { breaks: [served, firstCome] },
      'equal-is-ahead': { breaks: [served, firstCome] },
      'takes-highest': { breaks: [served, firstCome] },
      'hides-choosing': { breaks: [served, firstCome] },
    },
  },
];

/** A scenario of a machine, checked and loaded. */
const loaded = (machine: string, { config, network, until }: Setting, mutants: readonly string[]) =>
  parseScenario(
    JSON.stringify({
      name: machine,
      machine,
      config,
      network,
      until,
      faults: mutants.map((mutant) => ({ mutant })),
    }),
    'library.yaml',
    machines,
  );

/** What the checker comes to, with actors exchanged where the machine says so, judged by those of its properties that are wanted. */
export async function checked(
  name: string,
  setting: Setting,
  mutants: readonly string[] = [],
  symmetry = true,
  isWanted: (observer: Observer) => boolean = () => true,
) {
  const { scenario } = await loaded(name, setting, mutants);
  const machine = await loadedMachine(name);
  const given = givenOf(scenario, true);
  const properties = await propertiesNamed(name);
  const assembly = assembled(machine, given);
  const exchanged =
    symmetry && machine.symmetric ? assembly.wiring.speakers!.symmetry(machine.symmetric) : undefined;
  const observers = properties!.observers!(given, assembly).filter(isWanted);
  const explorer = new Explorer(() => assembled(machine, given).wiring, {
    observers,
    cycles: observers.some(({ pending }) => pending),
    ...(exchanged && { symmetry: exchanged }),
  });
  const { verdict, states, transitions, findings } = explorer.toEnd();
  return { verdict, states, transitions, what: findings[0]?.what };
}

/** The first of some random runs, by its number from 1, that fails, and what is found in it. */
export async function fuzzed(
  name: string,
  setting: Setting,
  mutants: readonly string[],
  firstSeed = 0,
  runsMax = 3000,
) {
  const { scenario, machine } = await loaded(name, setting, mutants);
  const trials = new Trials(scenario, machine, await propertiesNamed(name));
  for (let run = 1; run <= runsMax; run++) {
    const seed = firstSeed + run;
    const { failure } = trials.attempt(
      setting.schedule === 'pct' ? new PctChoices(seed) : new RandomChoices(seed),
    );
    if (failure) return { run, what: failure.what };
  }
  return { run: undefined, what: undefined };
}

/** Sizes that take minutes: of the campaign. */
export const larger: readonly { readonly machine: string; readonly setting: Setting }[] = [
  { machine: 'raft', setting: { config: { servers: 3, terms: 2, commands: 0 } } },
  {
    machine: 'raft',
    setting: { config: { servers: 3, terms: 2, commands: 0 }, network: { duplicating: true } },
  },
  {
    machine: 'raft',
    setting: {
      config: { servers: 3, terms: 1, commands: 1 },
      network: { crashes: { max: 1, recover: true, keeps: ['term', 'votedFor', 'log'] } },
    },
  },
  { machine: 'mesi', setting: { config: { caches: 4 } } },
  { machine: 'snapshot', setting: { config: { balances: [1, 1, 0], transfers: 1 } } },
  { machine: 'snapshot', setting: { config: { balances: [1, 1, 1], transfers: 1 } } },
  { machine: 'lamport-mutex', setting: { config: { processes: 3, rounds: 2 } } },
  { machine: 'sliding-window', setting: { config: { messages: 6, window: 3, capacity: 5 } } },
  {
    machine: 'sliding-window',
    setting: { config: { messages: 6, window: 3, capacity: 6 }, network: { duplicating: false, lossy: 2 } },
  },
  { machine: 'gossip-counter', setting: { config: { updates: [2, 2] } } },
  { machine: 'gossip-counter', setting: { config: { updates: [2, 2] }, network: { lossy: true } } },
  { machine: 'gossip-counter', setting: { config: { updates: [1, 0, 1] } } },
  { machine: 'lease-lock', setting: { config: { clients: 2, rounds: 1, lease: 5, drift: 2 } } },
  { machine: 'multi-paxos', setting: { config: { servers: 3, commands: 2, ballots: 3 } } },
  { machine: 'multi-paxos', setting: { config: { servers: 3, commands: 1, ballots: 6 } } },
  {
    machine: 'multi-paxos',
    setting: {
      config: { servers: 3, commands: 1, ballots: 2 },
      network: { crashes: { max: 1, recover: true, keeps: ['ballot', 'log', 'chosen'] } },
    },
  },
  { machine: 'bakery', setting: { config: { customers: 3, rounds: 1, anything: 0 } } },
  { machine: 'k-state-ring', setting: { config: { machines: 4, states: 4 } } },
];
