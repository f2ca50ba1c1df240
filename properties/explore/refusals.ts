import { payloadOf } from '../../scenarios/exports/plain-data.ts';
import type { Step } from './history.ts';

/** What says that something was refused or went wrong: names of codes as manuals have them, in capitals, and the words that protocols use. */
const code = /^(E[A-Z]{3,}|BAD_\w+|ERR_?\w*|NAK|NACK)$/;
const refusing = /error|fail|refus|reject|denied|invalid|illegal/i;
/** Values that say so by the name of their field. */
const refusingField = /^(error|fault|refused|rejected|failure)$/i;

/** The messages that refuse something or answer with an error, by what they carry: of equal ones the last. */
export function refusalsIn(steps: readonly Step[]): readonly Step[] {
  const found = new Map<string, Step>();
  for (const step of steps) {
    const codes = codesOf(payloadOf(step.message.event));
    if (codes.length === 0) continue;
    const name = [step.from, step.to, step.message.event.type, ...codes].join(' ');
    found.delete(name);
    found.set(name, step);
  }
  return [...found.values()];
}

function codesOf(value: unknown, field = ''): readonly string[] {
  if (typeof value === 'string') {
    const refuses = code.test(value) || refusing.test(value) || (refusingField.test(field) && value !== '');
    return refuses ? [value] : [];
  }
  if (value === true && refusingField.test(field)) return [field];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => codesOf(one, Array.isArray(value) ? field : key));
}
