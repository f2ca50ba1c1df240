import type { SequenceMark, SequencePicture } from '../../scenarios/exports/sequence-picture.ts';
import type { Explanation } from './explain.ts';
import { type Step, sentOnlyWith } from './history.ts';
import { faultWords, type StruckFault } from './struck-fault.ts';
import type { Wording } from './wording.ts';

/** Some deliveries of an explained run in lanes, with the choice, the difference and the failure marked. */
export function explanationPicture(
  explanation: Explanation,
  steps: readonly Step[],
  wording: Wording,
): SequencePicture {
  const { failure } = explanation;
  const marks = marksOf(explanation);
  const names = new Map<number, string>();
  for (const { message, from, to } of steps) {
    if (message.from >= 0) names.set(message.from, from);
    names.set(message.to, to);
  }
  const addresses = [...names.keys()].sort((a, b) => a - b);
  type Row = SequencePicture['rows'][number];
  const late = new Set(explanation.history.late);
  const messageRow = (step: Step): Row => {
    const mark = marks(step);
    const change = step.before === step.after ? '' : `; ${step.before} -> ${step.after}`;
    return {
      kind: 'message',
      tick: late.has(step) ? failure.tick : step.message.due,
      from: addresses.indexOf(step.message.from),
      to: addresses.indexOf(step.message.to),
      text: `${wording.fullWords(step.message)}${late.has(step) ? '; not delivered by then' : change}`,
      ...(mark && { mark }),
    };
  };
  const faultRow = (fault: StruckFault): Row => ({
    kind: 'note',
    text: `tick ${fault.tick}: ${faultWords(fault, wording)}`,
    lanes: [fault.message.from, fault.message.to]
      .map((address) => addresses.indexOf(address))
      .filter((lane) => lane >= 0),
    mark: 'fault',
  });
  const faults = steps.length > 0 ? explanation.faults : [];
  const rows = [
    ...steps.map((step) => ({ place: step.index, row: messageRow(step) })),
    ...faults.map((fault) => ({ place: placeOf(fault), row: faultRow(fault) })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
  const about = addresses.flatMap((address, lane) =>
    failure.actors.includes(names.get(address)!) ? [lane] : [],
  );
  rows.push({ kind: 'note', text: `tick ${failure.tick}: ${failure.why}`, lanes: about, mark: 'failure' });
  return {
    title: `${failure.verdict}: ${failure.what}`,
    lanes: addresses.map((address) => wording.actor(names.get(address)!)),
    rows,
  };
}

/** Where a fault stands among deliveries: behind the one during which its message was posted, or in the place of one that does not happen, as what a network does. */
const placeOf = ({ kind, fault, index }: StruckFault): number =>
  fault === undefined || kind === 'crash' || kind === 'lost' || kind === 'restart'
    ? index - 0.5
    : index + 0.5;

/** Tells what a delivery has to do with the failure. */
export function marksOf({
  causes,
  contrast,
}: Pick<Explanation, 'causes' | 'contrast'>): (step: Step) => SequenceMark | undefined {
  const parts = causes.causes[0]?.parts ?? [];
  const first = parts.map((part) => (part.kind === 'order' ? part.first.message : undefined));
  const second = parts.map((part) => (part.kind === 'order' ? part.second.message : undefined));
  const again = parts.map((part) =>
    part.kind === 'again' && !part.again.message.timer ? part.again : undefined,
  );
  const answered = parts.map((part) =>
    part.kind === 'answer' ? sentOnlyWith(part.here, part.there) : undefined,
  );
  return (step) => {
    if (first.includes(step.message)) return 'chosen';
    if (second.includes(step.message)) return 'overtaken';
    if (again.includes(step)) return 'again';
    if (answered.includes(step.message)) return 'answered';
    const difference = contrast?.differences.get(step);
    return difference === 'message' || difference === 'shown' ? 'different' : undefined;
  };
}
