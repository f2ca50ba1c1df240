/** What a row of a sequence picture is about: the choice that decided, what it overtook, what only this run has, a fault, or the failure. */
export type SequenceMark = 'chosen' | 'overtaken' | 'answered' | 'again' | 'different' | 'fault' | 'failure';

/** A message on its way from one lane to another, or to its own. */
export interface SequenceMessage {
  readonly kind: 'message';
  readonly tick: number;
  /** Number of the sender's lane, -1 for one that has none. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly mark?: SequenceMark;
}

/** A remark between messages, about some lanes or, when none is named, about all. */
export interface SequenceNote {
  readonly kind: 'note';
  readonly text: string;
  readonly lanes: readonly number[];
  readonly mark?: SequenceMark;
}

/** A sequence diagram before it is drawn: a lane for each actor, time runs down. */
export interface SequencePicture {
  readonly title: string;
  /** Names of the actors, from left to right. */
  readonly lanes: readonly string[];
  readonly rows: readonly (SequenceMessage | SequenceNote)[];
}

/** What a mark means, for legends. */
export const markWords: Readonly<Record<SequenceMark, string>> = {
  chosen: 'came first here',
  overtaken: 'comes first in the run that passes',
  answered: 'sent by the choice that makes the difference',
  again: 'came again',
  different: 'not so in the run that passes',
  fault: 'went wrong on purpose',
  failure: 'where it was found',
};

/** Signs of the marks, one character each. */
export const markSigns: Readonly<Record<SequenceMark, string>> = {
  chosen: '1',
  overtaken: '2',
  answered: '?',
  again: '+',
  different: '≠',
  fault: '!',
  failure: '✗',
};

/** The marks that a picture uses, in the order of `markWords`. */
export function marksOf({ rows }: SequencePicture): readonly SequenceMark[] {
  const used = new Set(rows.map(({ mark }) => mark));
  return (Object.keys(markWords) as SequenceMark[]).filter((mark) => used.has(mark));
}
