import { defineMachine, later } from './define-machine.ts';

export const mesi = defineMachine({
  name: 'mesi',
  summary: 'caches that keep copies of a line of memory coherent with a directory: MESI',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/mesi.ts')).mesi),
  properties: later(async () => {
    const { singleWriter, dataValue } = await import('../properties/protocols/mesi.ts');
    return [singleWriter, dataValue];
  }),
  generator: later(async () => (await import('../properties/protocols/library-scenarios.ts')).mesiScenarios),
});
