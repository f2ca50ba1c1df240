import { expect, test } from 'vitest';
import { expandLoaded, handedExpansion, loadMacros, takeExpansions } from './expand.ts';

test('what was expanded elsewhere is not expanded again, with the definitions that it had', async () => {
  const source = 'handed <%= n %>\n';
  await loadMacros();
  const [[key, expansion]] = handedExpansion(source, { n: '3' }) as [
    [string, { text: string; stdout: string }],
  ];
  expect(expansion).toEqual({ text: 'handed 3\n', stdout: '' });

  takeExpansions([[key, { text: 'from elsewhere\n', stdout: 'said\n' }]]);

  expect(expandLoaded(source, { n: '3' })).toEqual({ text: 'from elsewhere\n', stdout: 'said\n' });
  expect(expandLoaded(source, { n: '4' }).text).toBe('handed 4\n');
  expect(handedExpansion('no macros', {})).toEqual([]);
});
