import { compile } from '../kernel/compile.ts';
import type { InjectedFault } from '../kernel/faults.ts';
import { patternTest } from '../kernel/faults-pattern.ts';
import type { Protocol, ProtocolShape } from '../kernel/protocol/protocol.ts';
import type { Wiring } from '../kernel/wiring.ts';
import { assembled, type Machine } from '../machines/machine.ts';
import { ScenarioError, type ScenarioErrorCode } from './errors.ts';
import { describeFound } from './found.ts';
import { givenOf } from './given.ts';
import type { LocatedDocument } from './located-document.ts';
import { didYouMean } from './nearest.ts';
import type { Scenario } from './scenario.ts';

/** An actor of a machine that is not running: one of a family is its first member. */
interface Actor {
  readonly name: string;
  readonly single: boolean;
  /** Event types that its state machine decides on. */
  readonly types: readonly string[];
}

/**
 * The faults of a scenario that no actor, channel or message of its machine fits, or that crash an actor which may not crash.
 *
 * Details: names of actors are known only when the machine is wired, which is done here once, for a scenario with such faults. Of members of a
 * family, which come to life during a run, any index is a name.
 */
export function misplacedFaults(
  document: LocatedDocument,
  machine: Machine,
  scenario: Scenario,
): readonly ScenarioError[] {
  if (scenario.faults.every((fault) => 'mutant' in fault)) return [];
  const { wiring } = assembled(machine, givenOf(scenario, true));
  const actors = actorsOf(wiring);
  return scenario.faults.flatMap((fault, index) => {
    if ('mutant' in fault) return [];
    const refuse: Refuse = (code, key, what, help) => {
      const path = ['faults', index, fault.kind, key];
      const text = `faults[${index}].${fault.kind}.${key}: found ${what}`;
      return new ScenarioError(code, document.at(path), text, help);
    };
    return fault.kind === 'crash'
      ? misplacedCrash(fault.actor, actors, machine, refuse)
      : misplaced(fault, actors, wiring.speakers?.protocol, refuse);
  });
}

type Refuse = (code: ScenarioErrorCode, key: string, what: string, help: string) => ScenarioError;

function misplaced(
  fault: Exclude<InjectedFault, { kind: 'crash' }>,
  actors: readonly Actor[],
  protocol: Protocol<ProtocolShape> | undefined,
  refuse: Refuse,
): readonly ScenarioError[] {
  const { from, to, type } = fault;
  const names = actors.map(({ name }) => name);
  const senders = meant(from, actors);
  const receivers = meant(to, actors);
  const errors: ScenarioError[] = [];
  const strange = (key: string, pattern: string, known: readonly string[]) =>
    refuse(
      'SCN032',
      key,
      `${describeFound(pattern)}, which no actor is called`,
      didYouMean(pattern, known, 'actors'),
    );
  if (from !== undefined && from !== 'world' && senders.length === 0)
    errors.push(strange('from', from, [...names, 'world']));
  if (to !== undefined && receivers.length === 0) errors.push(strange('to', to, names));
  if (errors.length > 0) return errors;
  const [sender, receiver] = [senders[0], receivers[0]];
  if (senders.length === 1 && receivers.length === 1 && sender === receiver && sender?.single)
    return [
      refuse(
        'SCN032',
        'to',
        'a channel from an actor to itself',
        'a fault is for messages between two actors',
      ),
    ];
  const timers = new Set(receivers.flatMap(({ name }) => timersOf(name, protocol)));
  const types = [...new Set(receivers.flatMap((actor) => actor.types))]
    .filter((one) => !timers.has(one))
    .sort();
  const isType = patternTest(type);
  if (type === undefined || types.some((one) => isType(one) || one.endsWith('*')))
    return fault.kind === 'corrupt' ? misplacedField(fault, receivers, protocol, refuse) : [];
  const timer = [...timers].find(isType);
  if (timer !== undefined)
    return [
      refuse(
        'SCN032',
        'type',
        `${describeFound(type)}, a timer that an actor sets itself`,
        'a fault is for messages between two actors',
      ),
    ];
  const who = to === undefined ? 'no actor' : `no actor called ${describeFound(to)}`;
  return [
    refuse(
      'SCN032',
      'type',
      `${describeFound(type)}, which ${who} is ever sent`,
      didYouMean(type, types, 'types'),
    ),
  ];
}

/** What an actor is only ever sent by itself; nothing where the protocol does not say so. */
function timersOf(name: string, protocol: Protocol<ProtocolShape> | undefined): readonly string[] {
  const { timers = [], receives = {} } = protocol?.roleOf(name)?.shape ?? {};
  return timers.filter((type) => !(type in receives));
}

/** A field that no message of the declared ones has; nothing where the protocol does not say what is received. */
function misplacedField(
  { field, type }: Extract<InjectedFault, { kind: 'corrupt' }>,
  receivers: readonly Actor[],
  protocol: Protocol<ProtocolShape> | undefined,
  refuse: Refuse,
): readonly ScenarioError[] {
  if (field === undefined || protocol === undefined) return [];
  const isType = patternTest(type);
  const received = receivers.map(({ name }) => protocol.roleOf(name)?.shape.receives);
  if (!received.every((one) => one !== undefined)) return [];
  const declared = received.flatMap((one) => Object.entries(one).filter(([name]) => isType(name)));
  const fields = [...new Set(declared.flatMap(([, one]) => Object.keys(one)))].sort();
  if (fields.includes(field)) return [];
  const what = `${describeFound(field)}, which no such message has`;
  return [refuse('SCN032', 'field', what, didYouMean(field, fields, 'fields'))];
}

function misplacedCrash(
  pattern: string,
  actors: readonly Actor[],
  machine: Machine,
  refuse: Refuse,
): readonly ScenarioError[] {
  const mayCrash = ({ name }: Actor) => machine.crashable?.(name) ?? false;
  const known = actors.filter(mayCrash).map(({ name }) => name);
  const found = meant(pattern, actors);
  if (found.length > 0 && found.every(mayCrash)) return [];
  if (found.length === 0) {
    const names = actors.map(({ name }) => name);
    return [
      refuse(
        'SCN032',
        'actor',
        `${describeFound(pattern)}, which no actor is called`,
        didYouMean(pattern, names, 'actors'),
      ),
    ];
  }
  const spared = found.find((actor) => !mayCrash(actor))!;
  const help =
    known.length > 0
      ? `actors that may: ${known.slice(0, 24).join(', ')}`
      : `no actor of ${machine.name} may`;
  return [refuse('SCN033', 'actor', `${describeFound(spared.name)}, which may not crash`, help)];
}

/** The actors that a pattern names; all of them when it is absent. */
function meant(pattern: string | undefined, actors: readonly Actor[]): readonly Actor[] {
  const isName = patternTest(pattern);
  const ofFamily = patternTest(pattern?.replace(/\[\d+\]$/, '[0]'));
  return actors.filter(({ name, single }) => (single ? isName : ofFamily)(name));
}

function actorsOf(wiring: Wiring): readonly Actor[] {
  return [
    ...wiring.complete.map(({ name, machine }) => ({ name, single: true, types: typesOf(machine) })),
    ...wiring.families.map(({ name, member }) => ({
      name: `${name}[0]`,
      single: false,
      types: typesOf(member(0).machine),
    })),
  ];
}

const typesOf = (machine: Parameters<typeof compile>[0]): readonly string[] => [
  ...new Set(
    compile(machine)
      .transitions.map(({ event }) => event)
      .filter((event) => event !== '' && !event.startsWith('xstate.')),
  ),
];
