import fc from 'fast-check';

/** Settings of the runtime under which random programs run. */
export const settings = fc.record({
  channels: fc.constantFrom([0], [0, 1, 2, 3], [0, 1, 2, 3], [2, 3]),
  slots: fc.constantFrom(1, 2, 4, 8),
  slotBytes: fc.constantFrom(576, 1024),
  sendBufferBytes: fc.constant(1024),
  splitMin: fc.constant(256),
  update: fc.constantFrom('eager', 'half'),
  completion: fc.constantFrom('acked', 'acked', 'local'),
  forceMode: fc.constantFrom('auto', 'auto', 'BtoB', 'BtoM', 'MtoB'),
  cacheEntries: fc.constantFrom(0, 2, 64),
  parallelPackets: fc.boolean(),
  scheduler: fc.constantFrom('split', 'split', 'perRequest'),
});
/** Drawn settings. */
export type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;
