// A process that runs tests in a given order with one module replaced, and tells its parent of each file.
import { readFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';

const { files } = JSON.parse(process.argv[2]);
const replaced = process.env.LOCKSTEP_MUTANT
  ? JSON.parse(readFileSync(process.env.LOCKSTEP_MUTANT, 'utf8'))
  : undefined;

// Nobody waits for the answer any more.
process.on('disconnect', () => process.exit());

/** Hands out another text for one module, before anybody looks at the file. */
const replacing = {
  name: 'lockstep-mutant',
  enforce: 'pre',
  load: (id) =>
    replaced && id.split('?')[0] === replaced.file ? { code: replaced.code, map: null } : undefined,
};

const place = new Map(files.map((file, index) => [file, index]));
class InGivenOrder {
  async shard(specifications) {
    return specifications;
  }
  async sort(specifications) {
    const at = ({ moduleId }) =>
      [...place].find(([file]) => moduleId.endsWith(`/${file}`))?.[1] ?? files.length;
    return [...specifications].sort((a, b) => at(a) - at(b));
  }
}

const reporter = {
  onTestModuleStart: (module) => process.send?.({ kind: 'begins', file: module.moduleId }),
  onTestCaseResult: (test) => {
    const { state, errors } = test.result();
    process.send?.({
      kind: 'test',
      name: test.fullName,
      state,
      why: errors?.[0]?.message?.split('\n')[0] ?? '',
    });
  },
  onTestModuleEnd: (module) => {
    const { duration } = module.diagnostic();
    const broken = module.errors()[0];
    process.send?.({
      kind: 'ends',
      file: module.moduleId,
      ok: module.ok(),
      milliseconds: duration,
      why: broken?.message?.split('\n')[0] ?? '',
    });
  },
};

const vitest = await startVitest(
  'test',
  files,
  {
    config: false,
    watch: false,
    reporters: [reporter],
    bail: 1,
    maxWorkers: 1,
    fileParallelism: false,
    include: ['**/*.test.ts'],
    testTimeout: 120_000,
    sequence: { sequencer: InGivenOrder },
    isolate: process.env.LOCKSTEP_ISOLATE === '1',
    coverage: { enabled: false },
  },
  { plugins: [replacing] },
);
await vitest?.close();
process.send?.({ kind: 'end' });
process.disconnect?.();
