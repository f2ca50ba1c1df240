import { judged, property } from '../property.ts';
import { INVARIANTS, OTHER_FINDINGS } from './checker/catalogue.ts';
import { CellChecker } from './checker/check.ts';
import type { CellContext } from './context.ts';

const sentences = new Map([...INVARIANTS, ...OTHER_FINDINGS].map(({ id, sentence }) => [id, sentence]));

/** The sentence under which a finding of the checker is reported: the id of the invariant and its sentence (Cell specification 12). */
export function invariantSentence(id: string): string {
  const sentence = sentences.get(id);
  return sentence === undefined ? id : `${id} ${sentence}`;
}

/**
 * All invariants CK-01 to CK-28 of a run, by the independent checker (Cell specification 12).
 *
 * Details: the checker judges the whole log, so its findings come at the end of the run; each names its cycle. An exception of a
 * program is not a fault of the machine (Cell specification 11) and is left out.
 */
export const checkerFindsNothing = property<CellContext>(
  'the checker finds nothing',
  (run, { header, log }) =>
    judged(log(run), (found) => {
      const checker = new CellChecker(header);
      let stopped = false;
      return {
        see(event) {
          checker.event(event);
          stopped ||= event.ev === 'STOP';
        },
        end() {
          for (const { invariant, cycle, entities, message } of checker.finish().findings) {
            // A log that was cut short lacks its end, which proves nothing.
            if (invariant === 'EXC' || (!stopped && !run.ended && invariant === 'CK-18')) continue;
            found(entities, `cycle ${cycle}: ${message}`, invariantSentence(invariant));
          }
        },
      };
    }),
);
