import { statSync } from 'node:fs';
import type { Project } from '../../cli/known-machines.ts';
import { inputText } from '../../scenarios/input-file.ts';
import type { Catalogue, Opening } from '../protocol.ts';
import { type BuiltFiles, bundledPage, pageItself } from './bundle.ts';
import {
  type FoundCatalogue,
  folderCatalogue,
  isLedger,
  ledgerCatalogue,
  ownCatalogue,
} from './catalogue.ts';
import { Charts } from './charts.ts';
import { type FoundOpening, openingOf, withHanded } from './opening.ts';

/** What a server of one page hands out; a list has pages of its own, by their numbers, made when they are asked for. */
export interface Served {
  readonly files: BuiltFiles;
  readonly opening: Opening | Catalogue;
  readonly charts?: Charts;
  page?(index: number): Promise<Served> | undefined;
}

/** A run, or what can be opened. */
export type Found =
  | { readonly kind: 'run'; readonly found: FoundOpening }
  | { readonly kind: 'catalogue'; readonly found: FoundCatalogue };

/**
 * What a file or folder is; the scenarios of the project when none is named.
 *
 * Errors: those of files that cannot be read, or are nothing that can be opened.
 */
export async function foundAt(path: string | undefined, { file }: Pick<Project, 'file'>): Promise<Found> {
  if (path === undefined) return { kind: 'catalogue', found: await ownCatalogue() };
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return { kind: 'catalogue', found: folderCatalogue(path) };
  if (isLedger(inputText(path))) return { kind: 'catalogue', found: ledgerCatalogue(path) };
  return { kind: 'run', found: await withHanded(openingOf(path, file)) };
}

/** The pages of what was found. */
export async function servedOf(
  { kind, found }: Found,
  project: Pick<Project, 'file' | 'machines'>,
): Promise<Served> {
  if (kind === 'run')
    return {
      files: await bundledPage(found.modules),
      opening: found.opening,
      charts: new Charts(found.scenario, project.machines),
    };
  const pages = new Map<number, Promise<Served>>();
  return {
    files: await pageItself(),
    opening: found.catalogue,
    page(index) {
      const file = found.files[index];
      if (file === undefined) return undefined;
      let page = pages.get(index);
      if (!page) {
        page = foundAt(file, project).then((one) => servedOf(one, project));
        pages.set(index, page);
        // Told to who asks; tried again when asked again: the file may have been mended.
        page.catch(() => pages.delete(index));
      }
      return page;
    },
  };
}
