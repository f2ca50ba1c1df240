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

/** Keeps what a sequence diagram of a run shows: call it before the first step; the function that is returned gives the diagram, which states what it leaves out. */
export function runSequence(title: string, run: Run, filter: SequenceFilter = {}): () => SequencePicture {
  const [actors, messages] = [patternOf(filter.actors), patternOf(filter.messages)];
  const [firstTick, lastTick] = filter.ticks ?? [0, Number.MAX_SAFE_INTEGER];
  let others = 0;
  const keeps = ({ message, from, to }: Pick<Delivery, 'message' | 'from' | 'to'>): boolean =>
    (actors.test(from) || actors.test(to)) &&
    messages.test(message.event.type) &&
    message.due >= firstTick &&
    message.due <= lastTick;
  const counting = run.messages$.subscribe((delivery) => {
    if (!keeps(delivery)) others++;
  });
  const first = firstMessages(run, shown, keeps);
  return () => {
    counting.unsubscribe();
    const sequence = first();
    const { participants: lanes, deliveries, more } = sequence;
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

/** What matches one of these names, in which `*` stands for any characters; everything when there are none. */
function patternOf(names: readonly string[] | undefined): RegExp {
  if (names === undefined) return /^/;
  const parts = names.map((name) => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'));
  return new RegExp(`^(${parts.join('|')})$`);
}
