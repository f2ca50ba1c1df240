import { RandomChoices, RecordingChoices, TapeChoices } from '../../kernel/choices.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { randomNetwork } from '../../kernel/explore/testing/random-network.ts';
import { asynchronousState, statesOfRuns } from '../../kernel/explore/testing/states-of-runs.ts';
import type { Message } from '../../kernel/message.ts';
import type { Network, NetworkSplit } from '../../kernel/network.ts';
import { Run, type RunOptions, type RunSnapshot } from '../../kernel/run.ts';

/** States up to which the checker is compared with runs. */
const statesMax = 300;
/** Steps of one run: a duplicating network may go on for ever. */
const stepsMax = 60;

/**
 * Tries random parties over a random network: each step of a run is one that the network may take, the same tape gives the same run on every engine and from a snapshot, and the
 * exhaustive checker comes to the states of all runs. Returns what is wrong, in one line.
 */
export function networkDiffers(seed: number, pick: (count: number) => number): string | undefined {
  const make = randomNetwork(seed);
  const choices = new RecordingChoices(new RandomChoices(pick(100_000)));
  const first = new Run(make(), { choices });
  const illegal = illegalStep(first, make().network!);
  if (illegal !== undefined) return illegal;

  const engines: readonly RunOptions[] = [{ state: 'immutable' }, { engine: 'xstate' }, {}];
  const end = textOf(first);
  for (const options of engines.slice(0, 2)) {
    const again = new Run(make(), { ...options, choices: new TapeChoices(choices.tape) });
    again.until(stepsMax - 1);
    if (textOf(again) !== end || again.fingerprint !== first.fingerprint)
      return `the tape gives another run with ${JSON.stringify(options)}`;
  }
  const stopped = new Run(make(), { choices: new TapeChoices(choices.tape) });
  stopped.until(pick(8));
  const snapshot = stopped.snapshot();
  const restored = Run.restore(make(), snapshot, {
    ...engines[pick(3)],
    choices: new TapeChoices(choices.tape),
  });
  if (restored.fingerprint !== stopped.fingerprint)
    return 'a restored run of a network has another fingerprint';
  for (const one of [stopped, restored]) {
    one.until(stepsMax - 1);
    if (textOf(one) !== end || one.fingerprint !== first.fingerprint)
      return `a run of a network that was ${one === stopped ? 'stopped' : 'restored'} ends in another state`;
  }

  const explorer = new Explorer(make, { statesMax });
  if (explorer.toEnd().verdict === 'incomplete') return undefined;
  const byRuns = statesOfRuns(make, statesMax);
  if (!byRuns) return undefined;
  const byExplorer = new Set([...explorer.states()].map((state) => asynchronousState(state)));
  const [missing, extra] = [
    [...byRuns].filter((one) => !byExplorer.has(one)),
    [...byExplorer].filter((one) => !byRuns.has(one)),
  ];
  if (missing.length + extra.length > 0)
    return `check of a network misses ${missing.length} states of runs and has ${extra.length} others`;
  return undefined;
}

const textOf = (run: Run): string =>
  JSON.stringify([run.outcome, asynchronousState(run.state)], (key, value) =>
    key === 'error' ? undefined : value,
  );

/** Carries a run out step by step. Returns the first step that its network may not take (specification of protocols, 1). */
function illegalStep(run: Run, network: Network): string | undefined {
  let taken: { readonly kind: string; readonly message: Message } | undefined;
  run.messages$.subscribe(({ message }) => {
    taken = { kind: 'deliver', message };
  });
  run.faults$.subscribe(({ kind, message }) => {
    taken = { kind, message: message as Message };
  });
  const known: KnownNetwork = { down: new Set(), losses: 0, split: 0, splits: 0 };
  for (let step = 0; step < stepsMax; step++) {
    const before = run.snapshot();
    taken = undefined;
    const goesOn = run.tick();
    const now = taken as { readonly kind: string; readonly message: Message } | undefined;
    if (now) {
      const why = mistakeIn(now.kind, now.message, before, run.snapshot(), network, known);
      const { from, to, event } = now.message;
      if (why !== undefined)
        return `step ${step} of a network, ${now.kind} ${event.type} from ${from} to ${to}: ${why}`;
    }
    if (!goesOn) return undefined;
    if (!now) return `step ${step} of a network does nothing`;
  }
  return undefined;
}

/** What a network has done so far. */
interface KnownNetwork {
  readonly down: Set<number>;
  losses: number;
  split: number;
  splits: number;
}

/** Why a network may not take a step; undefined when it may. */
function mistakeIn(
  kind: string,
  message: Message,
  before: RunSnapshot,
  after: RunSnapshot,
  network: Network,
  known: KnownNetwork,
): string | undefined {
  const { down } = known;
  const { from, to, event } = message;
  const gone = count(before, message) - count(after, message);
  switch (kind) {
    case 'crash':
      if (down.has(to)) return 'it is down already';
      down.add(to);
      if (after.messages.some((one) => one.timer && one.to === to)) return 'its timers are set';
      return down.size > (network.crashes?.max ?? 0) ? 'too many are down' : undefined;
    case 'restart':
      return network.crashes?.recover && down.delete(to) ? undefined : 'it cannot come back';
    case 'drop': {
      const most =
        typeof network.lossy === 'number' ? network.lossy : network.lossy ? Number.POSITIVE_INFINITY : 0;
      if (++known.losses > most) return 'too many are lost';
      if (from < 0) return 'what comes from the outside is not lost';
      return gone === 1 ? undefined : 'it is not the lost message that is gone';
    }
    case 'split':
      known.split = (event as unknown as NetworkSplit).side;
      return ++known.splits > (network.partitions ?? 0) || known.split === 0
        ? 'it is not split so often'
        : undefined;
    case 'heal':
      if (known.split === 0) return 'it is whole';
      known.split = 0;
      return undefined;
    default:
  }
  if (down.has(to)) return 'the receiver is down';
  if (message.timer)
    return before.messages.some((one) => one.timer && one.to === to && one.event.type === event.type)
      ? undefined
      : 'the timer is not set';
  const channel = before.messages.filter((one) => !one.timer && one.from === from && one.to === to);
  const asked = JSON.stringify(event);
  if (!channel.some((one) => JSON.stringify(one.event) === asked)) return 'it is not under way';
  if (network.order === 'perChannel' && JSON.stringify(channel[0]!.event) !== asked)
    return 'an older one of its channel is under way';
  if (from >= 0 && ((known.split >>> from) & 1) !== ((known.split >>> to) & 1))
    return 'a split is between them';
  // An answer may be equal to what it answers.
  const posted = after.messages.filter((one) => one.seq >= before.seq && isEqual(one, message)).length;
  const expected = network.duplicating ? 0 : 1;
  return gone + posted === expected ? undefined : `${gone + posted} of it are gone, expected ${expected}`;
}

const isEqual = (one: Message, other: Message): boolean =>
  !one.timer &&
  one.from === other.from &&
  one.to === other.to &&
  JSON.stringify(one.event) === JSON.stringify(other.event);

/** How many messages are under way that are equal to one. */
const count = ({ messages }: RunSnapshot, message: Message): number =>
  messages.filter((one) => isEqual(one, message)).length;
