import { csv } from './csv.ts';
import type { Exporter } from './exporter.ts';
import { itf } from './itf.ts';
import { mermaid } from './mermaid.ts';
import { perfetto } from './perfetto.ts';
import { plantuml } from './plantuml.ts';
import { shiviz } from './shiviz.ts';
import { vcd } from './vcd.ts';

/** All exports by the name that the command line gives them. */
export const exporters: Readonly<Record<string, Exporter>> = {
  csv,
  itf,
  mermaid,
  perfetto,
  plantuml,
  shiviz,
  vcd,
};
