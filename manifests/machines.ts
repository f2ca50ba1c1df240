import type { Manifest } from './define-machine.ts';
import * as manifests from './manifests.ts';

const byName = (a: Manifest, b: Manifest) => (a.name < b.name ? -1 : 1);
const ofKind = (kind: Manifest['kind']) =>
  Object.values<Manifest>(manifests)
    .filter((one) => one.kind === kind)
    .sort(byName);

/** The machines that come with Lockstep, in the order of `lockstep list`: hardware, then protocols. Their modules are loaded when they are asked for. */
export const machines: readonly Manifest[] = [...ofKind('hardware'), ...ofKind('protocol')];

/** The machine of a name among these; undefined when none has it. */
export const machineNamed = (name: string, known: readonly Manifest[] = machines): Manifest | undefined =>
  known.find((one) => one.name === name);
