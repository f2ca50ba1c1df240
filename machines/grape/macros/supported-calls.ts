import { RubyError } from './errors.ts';
import type { RubyBlock, RubyValue } from './values.ts';

const names = (list: string): string[] => list.split(' ');

/** By how many arguments the methods have at most; those not named have none. */
const argumentsMost = new Map<string, number>([
  ...names('concat start_with? end_with? push unshift zip').map((name) => [name, Infinity] as const),
  ...names('sub gsub tr ljust rjust center step inject fetch [] []=').map((name) => [name, 2] as const),
  ...names('+ - * / % ** & | ^ << >> < > <= >= == != === <=>').map((name) => [name, 1] as const),
  ...names('round div fdiv divmod modulo pow to_s upto downto split include? index to_i').map(
    (name) => [name, 1] as const,
  ),
  ...names('each_slice each_cons sum count first last join rotate delete key?').map(
    (name) => [name, 1] as const,
  ),
]);

/** Methods that use a block; others would have to ignore it. */
const blockTakers = new Set(
  names(
    'each each_pair each_with_index each_index each_slice each_cons reverse_each map flat_map select reject find ' +
      'partition all? any? none? inject sum count sort sort_by max min times upto downto step',
  ),
);

/**
 * Refuses a form of a method that Ruby has and the own evaluator does not (GRAPE specification 5: anything else is E_MACRO), so that no argument and no
 * block is passed over in silence. Errors: `RubyError` Unsupported.
 */
export function checkForm(name: string, given: readonly RubyValue[], block: RubyBlock | undefined): void {
  if (given.length > (argumentsMost.get(name) ?? 0))
    throw new RubyError(
      'Unsupported',
      `${name} with ${given.length} argument${given.length === 1 ? '' : 's'}`,
    );
  if (block && !blockTakers.has(name)) throw new RubyError('Unsupported', `${name} with a block`);
}
