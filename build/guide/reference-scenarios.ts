import { machines } from '../../manifests/machines.ts';
import { commandJson } from './command-output.ts';
import { cell, code, keysTable, type Schema } from './schema-tables.ts';

/** The page of what stands in a scenario file, from the schemas. */
export async function scenariosPage(): Promise<string> {
  // Of the keys that are the same for all: an asynchronous machine has them all.
  const schema = (await commandJson(['schema', 'raft'])) as Schema;
  const of = (name: string): Schema => schema.properties![name]!;
  const names = Object.keys(schema.properties!);
  const faults = ((of('faults').items as Schema).anyOf ?? []).map((one) => {
    const [kind, inner] = Object.entries(one.properties!)[0]!;
    return `### ${kind}\n\n${cell(inner.description ?? '')}.\n\n${keysTable(inner)}`;
  });
  const nested = ['network', 'schedule', 'expect'].map(
    (name) => `## ${name}\n\n${cell(of(name).description ?? '')}.\n\n${tablesOf(of(name))}`,
  );
  const keys = names.map(
    (name) =>
      `| ${code(name)} | ${schema.required?.includes(name) ? 'yes' : ''} | ${cell((of(name).description ?? '').replace(/ of raft$/, ' of the machine'))} |\n`,
  );
  const pages = machines.map(({ name }) => `[${name}](../machines/${name}.md#configuration)`);
  return `---\noutline: 2\n---\n\n# Scenario files\n\nA scenario is a YAML file with these keys. \`lockstep schema MACHINE\` writes the JSON Schema this page is made from; an editor completes and checks files with it.\n\n| key | must be there | meaning |\n|---|---|---|\n${keys.join('')}\n## faults\n\n${cell(of('faults').description ?? '')}: a list, each entry a mapping with one key, its kind. [Faults](../faults.md) explains them.\n\n${faults.join('\n')}\n${nested.join('\n')}\n## config and programs\n\nThey are of each machine: ${pages.join(', ')}.\n`;
}

/** An object, or each object that it may be. */
function tablesOf(schema: Schema): string {
  const objects = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].filter(({ properties }) => properties);
  return objects
    .map(
      (one) => `${one !== schema && one.description ? `${cell(one.description)}:\n\n` : ''}${keysTable(one)}`,
    )
    .join('\n');
}
