import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { KernelError } from './errors.ts';

/** All state nodes of a machine in document order, root first. */
export function stateNodes(machine: AnyStateMachine): AnyStateNode[] {
  const nodes: AnyStateNode[] = [];
  const walk = (node: AnyStateNode) => {
    nodes.push(node);
    for (const child of Object.values(node.states)) walk(child);
  };
  walk(machine.root);
  return nodes;
}

/** True when XState would call a state done: a final child is active, or every region is done. */
function canComplete(node: AnyStateNode): boolean {
  const children = Object.values(node.states) as AnyStateNode[];
  if (node.type === 'parallel') return children.every(canComplete);
  return children.some((child) => child.type === 'final');
}

const end = 'end in a state that takes nothing; the run ends when nothing is under way';
/** What does in Lockstep what a feature of XState would have done. */
const instead: Readonly<Record<string, string>> = {
  after: "set a timer in an act recipe, out.setTimer('tired', 5), and take its event: on: { tired: … }",
  invoke: 'make it an actor of the wiring, and post messages to it',
  spawn: 'place every actor in the wiring before the run begins',
  spawnChild: 'place every actor in the wiring before the run begins',
  stopChild: 'post a message that lets it come to its last state',
  history: 'remember the state in the context, and go on by guards',
  route: 'take an event of your own: on: { event: target }',
  output: 'keep results in the context, or show them with a probe',
  'final at the top level': end,
  'final in every region of the top level': end,
  wildcard: 'a wildcard stands for whole words at the end, as in "bus.*" or "*"; name the events otherwise',
  raise: 'go on with `always`, or post to yourself: post((_me, _event, { self }) => ({ to: self, … }))',
  sendTo: 'use a post recipe: post((me) => ({ to: me.server, … }))',
  emit: 'use a probe recipe, which shows something to properties',
  log: 'use a probe recipe, and see it in the trace',
  cancel: "cancel the timer in an act recipe: out.cancelTimer('tired')",
  stateIn: 'ask a guard about the context, where the actor remembers what matters',
};

/** Refuses a feature of XState, with what to do instead. Errors: KRN001 always. */
export function refuseFeature(place: string, feature: string): never {
  const cure = instead[feature.split(' "')[0]!];
  throw new KernelError('KRN001', place, `"${feature}" is not supported`, cure === undefined ? {} : { cure });
}

/**
 * Refuses what the compiler does not support, naming the state and the feature.
 *
 * Details: time, children and services of a part are messages in Lockstep (design, section 3), so `after`,
 * `invoke`, `spawn` and the other side effects of XState have no place in a part; history would be state that
 * lives outside the context and the configuration.
 */
export function refuseUnsupported(machine: AnyStateMachine): void {
  for (const node of stateNodes(machine)) {
    const config = node.config as Record<string, unknown>;
    const place = `state "${node.path.join('.') || machine.id}" of "${machine.id}"`;
    const refuse = (feature: string) => refuseFeature(place, feature);
    if (config['after'] !== undefined) refuse('after');
    if (config['invoke'] !== undefined) refuse('invoke');
    if (node.type === 'history') refuse('history');
    if (config['route'] !== undefined) refuse('route');
    if (config['output'] !== undefined) refuse('output');
    if (node.type === 'final' && node.parent === machine.root && machine.root.type === 'compound')
      refuse('final at the top level');
    if (node === machine.root && node.type === 'parallel' && canComplete(node))
      refuse('final in every region of the top level');
    for (const descriptor of node.transitions.keys()) {
      if (
        /\*./.test(descriptor) ||
        (descriptor.endsWith('*') && descriptor !== '*' && !descriptor.endsWith('.*'))
      )
        refuse(`wildcard "${descriptor}"`);
    }
  }
}
