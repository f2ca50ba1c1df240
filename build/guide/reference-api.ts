import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Application, LogLevel } from 'typedoc';
import { type ApiTopic, apiTopics } from './api-topics.ts';

/**
 * The pages of the API, one a topic, by TypeDoc from the docstrings. What a topic documents is a module made for it, so that a page holds what
 * belongs together and not what one file happens to export.
 */
export async function writeApiReference(scratch: string, target: string): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  for (const one of apiTopics) writeFileSync(`${scratch}/${one.page}.ts`, moduleOf(one));
  writeFileSync(`${scratch}/tsconfig.json`, JSON.stringify(settings));
  const app = await Application.bootstrapWithPlugins({
    entryPoints: apiTopics.map(({ page }) => `${scratch}/${page}.ts`),
    tsconfig: `${scratch}/tsconfig.json`,
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: target }],
    // The gate has checked the types before.
    skipErrorChecking: true,
    readme: 'none',
    githubPages: false,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    sort: ['source-order'],
    // What is called comes first.
    groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', 'Type Aliases'],
    logLevel: LogLevel.Error,
    validation: false,
    ...({
      outputFileStrategy: 'modules',
      entryFileName: 'index',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      hidePageTitle: true,
      useCodeBlocks: true,
      expandObjects: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      propertyMembersFormat: 'table',
      classPropertiesFormat: 'table',
      enumMembersFormat: 'table',
      sanitizeComments: true,
    } as object),
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc found no project');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('TypeDoc found errors');
  for (const one of apiTopics) {
    const file = `${target}/${one.page}.md`;
    writeFileSync(file, `${headOf(one)}${tidied(readFileSync(file, 'utf8'))}`);
  }
  writeFileSync(`${target}/index.md`, indexPage());
}

const settings = {
  extends: '../../../tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null, types: ['node'] },
  include: ['./*.ts'],
};

const moduleOf = ({ names, source }: ApiTopic): string => {
  const from = `'../../../${source}'`;
  if (names) return `export { ${names.join(', ')} } from ${from};\n`;
  // A module that is imported for its effect exports nothing, and is documented as it stands.
  return source === 'entries/testing-vitest.ts'
    ? readFileSync(source, 'utf8').replaceAll("'../", "'../../../")
    : `export * from ${from};\n`;
};

const headOf = ({ title, about, module, names, page }: ApiTopic): string => {
  const example =
    page === 'testing-vitest'
      ? `import '${module}';`
      : names
        ? `import { ${names[0]} } from '${module}';`
        : `import { … } from '${module}';`;
  return `---\noutline: [2, 3]\n---\n\n# ${title}\n\n${about}\n\n\`\`\`ts\n${example}\n\`\`\`\n\n`;
};

/** What TypeDoc has made, without what says nothing: titles of kinds become plain, and what is never a link is not one. */
const tidied = (text: string): string => text.replace(/^\*\*\*\n+/gm, '').replace(/^# .*\n+/, '');

const indexPage = (): string =>
  `# API\n\nFrom the docstrings of the sources. [The glossary](../../glossary.md) has the words.\n\n| import from | what | page |\n|---|---|---|\n${apiTopics
    .map(({ module, title, about, page }) => `| \`${module}\` | ${about} | [${title}](./${page}.md) |\n`)
    .join('')}`;
