import type { Inputs } from '../refused-inputs.ts';

const data = (change: object): Readonly<Record<string, unknown>> => ({
  programs: { slave: [], host: [], ...change },
});

const shared = (
  sizeKiB: number,
  others: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  'config.sldm': { sizeKiB },
  ...others,
});
const sharedAt = 'config.sldm.sizeKiB';

/** What several keys of a scenario decide together (Sunway specification 2.4, 3, 8). */
export const sunwayInputs: Inputs = {
  right: { config: { cgs: 2, cpesPerCg: 4 }, programs: { slave: [], host: [] } },
  wrong: [
    [{ programs: [{ slave: [], host: [] }] }, '1 host programs', 'programs'],
    [
      {
        programs: [
          { slave: [], host: [] },
          { slave: [], host: [] },
        ],
      },
      '',
    ],
    [{ 'config.job': { kill: [{ cgn: 1, at: 5 }] } }, ''],
    [
      {
        'config.job': {
          kill: [
            { cgn: 1, at: 5 },
            { cgn: 2, at: 5 },
          ],
        },
      },
      'core group 2',
      'config.job.kill.1.cgn',
    ],
    [{ 'config.ldm': { preset: 'cache32' }, 'config.cacheKiB': 32 }, ''],
    [{ 'config.ldm': { preset: 'cache32' } }, ''],
    [
      { 'config.cacheKiB': 128, 'config.ldm': { preset: 'cache32' } },
      '128 KiB of data cache beside the preset cache32',
    ],
    // With 4 KiB of the runtime, and 16 of a stack, what is shared and cached fills 256 KiB.
    [shared(124, { 'config.cacheKiB': 128 }), ''],
    [shared(125, { 'config.cacheKiB': 128 }), '125 KiB shared, 128 KiB of data cache', sharedAt],
    [shared(108, { 'config.cacheKiB': 128, 'config.stackInLdm': true }), ''],
    [
      shared(109, { 'config.cacheKiB': 128, 'config.stackInLdm': true }),
      '109 KiB shared, 128 KiB of data cache, 16 KiB of stack',
      sharedAt,
    ],
    [{ 'config.sldm': { sizeKiB: 3, interleaveBytes: 1024 } }, ''],
    [
      { 'config.sldm': { sizeKiB: 3, interleaveBytes: 2048 } },
      'blocks of 2048 bytes',
      'config.sldm.interleaveBytes',
    ],
    [data({ slave: [{ on: [3], do: [] }] }), ''],
    [data({ slave: [{ on: [0, 4], do: [] }] }), 'CPE 4', 'programs.slave.0.on.1'],
  ],
};
