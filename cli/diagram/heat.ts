import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { compile } from '../../kernel/compile.ts';
import type { Coverage } from '../../kernel/coverage.ts';
import { namesOf } from '../../kernel/coverage-sum.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { UsageError } from '../usage-error.ts';

/** How often the states and transitions of one state machine were seen. */
export interface Heat {
  ofState(node: AnyStateNode): number;
  ofTransition(transition: AnyTransitionDefinition): number;
}

/** Steps of the scale: 0 for what was never seen, then by the logarithm of the count. */
export const heatLevels = 5;

/** The classes of the levels, for Mermaid: never seen is outlined, the others are shades that also differ in print. */
export const heatClasses: readonly string[] = [
  'fill:#ffffff,stroke:#c62828,stroke-width:2px,color:#c62828',
  'fill:#fff3e0,stroke:#8d6e63,color:#000000',
  'fill:#ffcc80,stroke:#8d6e63,color:#000000',
  'fill:#fb8c00,stroke:#8d6e63,color:#000000',
  'fill:#bf360c,stroke:#8d6e63,color:#ffffff',
];

/** The level of a count where the greatest is `most`: 0 for 0, and `heatLevels - 1` for the greatest. */
export function levelOf(count: number, most: number): number {
  if (count === 0) return 0;
  const share = most === 1 ? 1 : Math.log(count) / Math.log(most);
  return 1 + Math.floor(share * (heatLevels - 2) + 1e-9);
}

/** The heat of a state machine in a coverage. Errors: `UsageError` when the coverage has nothing of it. */
export function heatOf(machine: AnyStateMachine, coverage: Coverage): Heat {
  const { id } = machine;
  const states = coverage.states[id];
  if (!states) {
    const known = Object.keys(coverage.states);
    throw new UsageError(
      `found no coverage of "${id}"`,
      didYouMean(id, known, 'types of actors in the file'),
    );
  }
  // The compiler numbers transitions in this order.
  const names = namesOf(compile(machine).transitions);
  const nameOf = new Map<AnyTransitionDefinition, string>();
  const visit = (node: AnyStateNode): void => {
    for (const transition of [...[...node.transitions.values()].flat(), ...(node.always ?? [])])
      nameOf.set(transition, names[nameOf.size] ?? '');
    for (const child of Object.values(node.states)) visit(child as AnyStateNode);
  };
  visit(machine.root as AnyStateNode);
  return {
    ofState: (node) => states[node.path.join('.')]?.[0] ?? 0,
    ofTransition: (transition) => {
      const name = nameOf.get(transition) ?? '';
      const { transitions, refusals, complaints } = coverage;
      return [transitions, refusals, complaints].map((kind) => kind[id]?.[name]).find(Boolean)?.[0] ?? 0;
    },
  };
}
