import type { FairnessConfig } from '../machines/protocols/fairness.ts';
import { defineMachine, later } from './define-machine.ts';

export const fairness = defineMachine({
  name: 'fairness',
  summary: 'small systems that show what weak fairness is: a spinner, dining philosophers, a token ring',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/fairness.ts')).fairness),
  properties: later(async () => {
    const { fairnessProperties } = await import('../properties/protocols/fairness-properties.ts');
    return ({ config }: { readonly config: FairnessConfig }) => fairnessProperties(config);
  }),
});
