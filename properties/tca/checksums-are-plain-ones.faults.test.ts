import { expect, test, vi } from 'vitest';
import { checksumsOf } from '../../actors/tca/himeno/checksums.ts';
import { checksumFault } from './checksums-are-plain-ones.ts';

vi.mock('../../actors/tca/himeno/checksums.ts', async (original) => {
  const sound = await original<typeof import('../../actors/tca/himeno/checksums.ts')>();
  return { ...sound, checksumsOf: vi.fn(sound.checksumsOf) };
});

test('checksums of drawn grids are those of their bytes', () => {
  for (let number = 0; number < 60; number++) expect(checksumFault(number)).toBeUndefined();
});

test('a checksum of the values in another order is told', () => {
  const sound = vi.mocked(checksumsOf).getMockImplementation()!;
  vi.mocked(checksumsOf).mockImplementation((p, size) => sound(p.toReversed(), size));

  expect(checksumFault(7)).toMatch(/^p\w+ is .*, the reference has /);
});
