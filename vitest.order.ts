import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than all others, or wait most of their time, the longest first: what begins last must not be what ends last. */
const longest = [
  '/guide.test.ts',
  '/cli/farm/farm.test.ts',
  '/viewer/viewer.test.ts',
  '/cli/farm/farm-postgres.test.ts',
  '/cli/interrupted.test.ts',
];

/** The usual order, but for the longest files, which begin first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(file));
      return at < 0 ? longest.length : at;
    };
    const usual = await super.sort(files);
    return usual.sort((one, other) => rankOf(one) - rankOf(other));
  }
}
