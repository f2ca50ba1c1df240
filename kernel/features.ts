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
    const refuse = (feature: string) => {
      throw new KernelError('KRN001', place, `"${feature}" is not supported`);
    };
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
