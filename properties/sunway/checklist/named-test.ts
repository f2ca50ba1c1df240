/** A test by the file that holds it, as a path from the root, and its title. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** Some tests of a file. */
export const named = (file: string, ...titles: readonly string[]): readonly NamedTest[] =>
  titles.map((title) => ({ file, title }));
