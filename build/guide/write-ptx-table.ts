import { writeFileSync } from 'node:fs';
import { instructionRows, tablePage } from './ptx-table.ts';

writeFileSync(
  new URL('../../docs/machines/ptx-instructions.md', import.meta.url),
  tablePage(instructionRows()),
);
