import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { type BuildFailure, build } from 'esbuild';
import type { Bundle, BundleFiles } from '../../farm/campaign.ts';
import { hashOfBundle } from '../../farm/worker.ts';
import { machineNamed } from '../../manifests/machines.ts';
import { filesNamedIn, modulesNamedIn } from '../../scenarios/files-named.ts';
import { inputText } from '../../scenarios/input-file.ts';
import { LocatedDocument } from '../../scenarios/located-document.ts';
import { isReference } from '../../scenarios/module-export.ts';
import type { CampaignOrder } from '../fuzz/order.ts';
import { projectOf } from '../known-machines.ts';
import { UsageError } from '../usage-error.ts';

/** Bytes of a file that goes along. */
const fileBytesMax = 8 * 2 ** 20;

/**
 * What a campaign needs of the files here: modules, each in one piece with the libraries that it imports, but for Lockstep itself, which each worker has; and files that a
 * scenario names. They keep their names, so that scenarios and recordings name them as they do here.
 *
 * Details: undefined when it needs nothing. Errors: `UsageError` for a module that cannot be bundled.
 */
export async function bundleOf(subject: CampaignOrder['subject']): Promise<Bundle | undefined> {
  const files = await filesOf(subject);
  if (files.length === 0) return undefined;
  const here = process.cwd();
  const root = commonFolder([here, ...files.map((file) => dirname(file))]);
  const named = (path: string) => relative(root, path).split(sep).join('/');
  const texts: [string, string][] = [];
  for (const file of [...new Set(files)].sort())
    texts.push([named(file), isModule(file) ? await bundled(file, root) : inputText(file, fileBytesMax)]);
  const bundle: BundleFiles = { folder: named(here) || '.', texts };
  return { hash: hashOfBundle(bundle), files: bundle };
}

async function filesOf(subject: CampaignOrder['subject']): Promise<readonly string[]> {
  if (!('file' in subject)) return filesOfMachine(subject.machine);
  const { data } = new LocatedDocument(subject.text, subject.file);
  const named = (data as { readonly machine?: unknown } | null)?.machine;
  return [
    ...filesNamedIn(data, dirname(resolve(subject.file))),
    ...(typeof named === 'string' && !isReference(named) ? await filesOfMachine(named) : []),
  ];
}

/** Files that a machine lies in; none of one that comes with Lockstep. */
async function filesOfMachine(word: string): Promise<readonly string[]> {
  if (isReference(word)) return [resolve(word.replace(/#.*$/s, ''))];
  const { file } = await projectOf();
  return file === undefined || machineNamed(word) ? [] : [file, ...modulesNamedIn(file)];
}

const isModule = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);

async function bundled(file: string, root: string): Promise<string> {
  try {
    const { outputFiles } = await build({
      entryPoints: [file],
      absWorkingDir: root,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      charset: 'utf8',
      logLevel: 'silent',
      external: ['lockstep', 'lockstep/*'],
      // Libraries in CommonJS ask for modules of Node so.
      banner: {
        js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
      },
    });
    return outputFiles[0]!.text;
  } catch (error) {
    const { errors = [] } = error as Partial<BuildFailure>;
    const [first] = errors;
    if (!first) throw error;
    const { file: at = relative(root, file), line = 1, column = 0 } = first.location ?? {};
    throw new UsageError(
      `${at}:${line}:${column + 1} found "${first.text}", expected a module that can be bundled for workers`,
      'what it imports must be installed here',
    );
  }
}

/** The innermost folder that has all of these in it. */
function commonFolder(folders: readonly string[]): string {
  let common = folders[0]!;
  while (
    !folders.every((folder) => folder === common || folder.startsWith(common === sep ? sep : common + sep))
  ) {
    const above = dirname(common);
    if (above === common || !existsSync(above)) return common;
    common = above;
  }
  return common;
}
