import type { Dimensions } from '../ptx/launch.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import type { ValueType } from '../ptx/value-type.ts';
import type { HostAnswer, HostOperation, HostProgram } from './host-operations.ts';

/** Values in a step: given, or those that an earlier step has stored under a name. */
export type StepValues<Value = number> = readonly Value[] | string;

/** A parameter of a launch: the address of what was allocated under a name, a number, or a coordinate of the chiplet itself. */
export type StepArgument =
  | { readonly ptr: string }
  | { readonly number: number }
  | { readonly own: 'x' | 'y' };

/** An operation of a host as data; results go under a name. */
export type HostStep =
  | { readonly op: 'malloc'; readonly as: string; readonly bytes: number }
  | { readonly op: 'symbol'; readonly as: string; readonly name: string }
  | { readonly op: 'free'; readonly of: string }
  | {
      readonly op: 'copyIn';
      readonly to: string;
      readonly type: ValueType;
      readonly values: StepValues<number | bigint>;
    }
  | {
      readonly op: 'copyOut';
      readonly from: string;
      readonly type: ValueType;
      readonly count: number;
      readonly as: string;
    }
  | {
      readonly op: 'launch';
      readonly kernel: string;
      readonly grid: Dimensions;
      readonly block: Dimensions;
      readonly args: readonly StepArgument[];
      readonly dynamicSharedBytes?: number;
      /** Blocks of a cluster in each direction, where the kernel does not fix them. */
      readonly cluster?: Dimensions;
    }
  | { readonly op: 'compute'; readonly instructions: number }
  | { readonly op: 'access'; readonly elements: number }
  | { readonly op: 'send'; readonly to: ChipletAddress; readonly values: StepValues }
  | { readonly op: 'output'; readonly file: string; readonly values: StepValues }
  | { readonly op: 'receive'; readonly from: ChipletAddress; readonly count: number; readonly as: string }
  | {
      readonly op: 'loadInts';
      readonly file: string;
      readonly from: number;
      readonly to: number;
      readonly as: string;
    };

/** A step that uses a name under which nothing is stored. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

/**
 * The program that steps are. Every name must be stored by an earlier step.
 *
 * Errors: `StepError` for an unknown name, at once and not when the step is reached.
 */
export function programOfSteps(steps: readonly HostStep[]): HostProgram {
  checkNames(steps);
  return function* (x, y) {
    const stored = new Map<string, HostAnswer>();
    for (const step of steps) {
      const answer = yield operationOf(step, stored, { x, y });
      if ('as' in step) stored.set(step.as, answer);
    }
  };
}

function operationOf(
  step: HostStep,
  stored: ReadonlyMap<string, HostAnswer>,
  own: { readonly x: number; readonly y: number },
): HostOperation {
  const address = (name: string): number => stored.get(name) as number;
  const values = <Value>(given: StepValues<Value>): readonly Value[] =>
    typeof given === 'string' ? (stored.get(given) as readonly Value[]) : given;
  switch (step.op) {
    case 'free':
      return { op: 'free', address: address(step.of) };
    case 'copyIn':
      return { op: 'copyIn', address: address(step.to), type: step.type, values: values(step.values) };
    case 'copyOut':
      return { op: 'copyOut', address: address(step.from), type: step.type, count: step.count };
    case 'send':
      return { op: 'send', to: step.to, values: values(step.values) };
    case 'output':
      return { op: 'output', file: step.file, values: values(step.values) };
    case 'launch': {
      const args = step.args.map((one) =>
        'ptr' in one ? address(one.ptr) : 'own' in one ? own[one.own] : one.number,
      );
      return { ...step, args };
    }
    default:
      return step;
  }
}

/** Names are of addresses or of values. */
function checkNames(steps: readonly HostStep[]): void {
  const known = new Map<string, 'address' | 'values'>();
  const expect = (at: number, name: string, kind: 'address' | 'values'): void => {
    if (known.get(name) === kind) return;
    const names = [...known].filter(([, one]) => one === kind).map(([one]) => one);
    throw new StepError(
      `step ${at}: found the name "${name}", expected ${kind === 'address' ? 'an allocation' : 'values'} of an earlier step: ${names.join(', ') || 'none'}`,
    );
  };
  for (const [at, step] of steps.entries()) {
    if (step.op === 'free') expect(at, step.of, 'address');
    if (step.op === 'copyIn') expect(at, step.to, 'address');
    if (step.op === 'copyOut') expect(at, step.from, 'address');
    if (step.op === 'launch') for (const one of step.args) if ('ptr' in one) expect(at, one.ptr, 'address');
    if ('values' in step && typeof step.values === 'string') expect(at, step.values, 'values');
    if ('as' in step) known.set(step.as, ['malloc', 'symbol'].includes(step.op) ? 'address' : 'values');
  }
}
