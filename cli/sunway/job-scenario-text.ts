import { parseDocument } from 'yaml';
import type { NodeFiles } from './job-folder.ts';

/** What a job was given from outside its scenario. */
interface FromOutside {
  /** All files of the node when the job began. */
  readonly files: NodeFiles;
  readonly bsignal: readonly { readonly signal: number; readonly at: number }[];
  /** Whether nothing came from outside: then the run is the one that the scenario expects. */
  readonly alone: boolean;
}

/**
 * The text of a scenario that gives the run of a job again without its folder and its signals.
 *
 * Details: comments stay. What the scenario expects of its own run is left out when something came from outside.
 */
export function jobScenarioText(text: string, { files, bsignal, alone }: FromOutside): string {
  if (alone) return text;
  const document = parseDocument(text);
  if (Object.keys(files).length > 0) document.setIn(['config', 'files'], document.createNode(files));
  if (bsignal.length > 0) document.setIn(['config', 'job', 'bsignal'], document.createNode(bsignal));
  document.delete('expect');
  return document.toString({ lineWidth: 0 });
}
