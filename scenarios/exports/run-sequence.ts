import type { Delivery, Run } from '../../kernel/run.ts';
import { faultText } from './fault-text.ts';
import { faultsAt, firstMessages, moreText } from './sequence.ts';
import type { SequencePicture } from './sequence-picture.ts';

/** Which messages of a run a sequence diagram shows; all when nothing is named. In names, `*` stands for any characters. */
export interface SequenceFilter {
  /** Senders or receivers. */
  readonly actors?: readonly string[];
  /** Types of messages. */
  readonly messages?: readonly string[];
  /** First and last tick. */
  readonly ticks?: readonly [number, number];
}

/** Messages that one diagram shows at most. */
const shown = 200;

/**
 * Keeps what a sequence diagram of a run shows: call it before the first step; the function that is returned gives the diagram, which states what it leaves out.
 *
 * Errors: that function throws a `NothingToShow` when the filter leaves no message of those that there were.
 */
export function runSequence(title: string, run: Run, filter: SequenceFilter = {}): () => SequencePicture {
  const [actors, messages] = [patternOf(filter.actors), patternOf(filter.messages)];
  const [firstTick, lastTick] = filter.ticks ?? [0, Number.MAX_SAFE_INTEGER];
  let others = 0;
  const seen = { actors: new Set<string>(), messages: new Set<string>() };
  const keeps = ({ message, from, to }: Pick<Delivery, 'message' | 'from' | 'to'>): boolean =>
    (actors.test(from) || actors.test(to)) &&
    messages.test(message.event.type) &&
    message.due >= firstTick &&
    message.due <= lastTick;
  const counting = run.messages$.subscribe((delivery) => {
    if (keeps(delivery)) return;
    others++;
    for (const actor of [delivery.from, delivery.to]) seen.actors.add(actor);
    seen.messages.add(delivery.message.event.type);
  });
  const first = firstMessages(run, shown, keeps);
  return () => {
    counting.unsubscribe();
    const sequence = first();
    const { participants: lanes, deliveries, more } = sequence;
    if (deliveries.length === 0 && others > 0) throw new NothingToShow(filter, seen);
    const faults = (place: number) =>
      faultsAt(sequence, place).map((injection) => ({
        kind: 'note' as const,
        text: faultText(injection),
        lanes: [lanes.indexOf(injection.to)],
        mark: 'fault' as const,
      }));
    const note = (text: string) => ({ kind: 'note' as const, text, lanes: [] });
    return {
      title,
      lanes,
      rows: [
        ...deliveries.flatMap(({ message, from, to }, place) => [
          ...faults(place),
          {
            kind: 'message' as const,
            tick: message.due,
            from: lanes.indexOf(from),
            to: lanes.indexOf(to),
            text: message.event.type,
          },
        ]),
        ...faults(deliveries.length),
        ...(more > 0 ? [note(moreText(sequence))] : []),
        ...(others > 0 ? [note(`${others} messages are left out by the filter`)] : []),
        ...(deliveries.length === 0 ? [note('no message to show')] : []),
      ],
    };
  };
}

/** A filter that no message of a run passes: what was asked for, and what there was. */
export class NothingToShow extends Error {
  constructor(
    { actors, messages, ticks }: SequenceFilter,
    readonly seen: { readonly actors: ReadonlySet<string>; readonly messages: ReadonlySet<string> },
  ) {
    const asked = [
      ...(actors ? [`of actors ${actors.join(', ')}`] : []),
      ...(messages ? [`of types ${messages.join(', ')}`] : []),
      ...(ticks ? [`of ticks ${ticks.join(' to ')}`] : []),
    ];
    super(`found no message ${asked.join(' and ')} in the run`);
  }
}

/** What matches one of these names, in which `*` stands for any characters; everything when there are none. */
function patternOf(names: readonly string[] | undefined): RegExp {
  if (names === undefined) return /^/;
  const parts = names.map((name) => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'));
  return new RegExp(`^(${parts.join('|')})$`);
}
