import { expect, test } from 'vitest';
import { canExpand, expandLoaded, loadMacros, takeExpansions } from './expand.ts';

test('what was expanded elsewhere needs no parser, with the definitions that it had', async () => {
  const source = 'name <%= n %>\n';
  takeExpansions([[JSON.stringify([source, { n: '3' }]), { text: 'name 3\n', stdout: '' }]]);
  await loadMacros();

  expect(canExpand()).toBe(false);
  expect(expandLoaded(source, { n: '3' })).toEqual({ text: 'name 3\n', stdout: '' });
  expect(() => expandLoaded(source, { n: '4' })).toThrow('the parser of macros is loaded before');
});
