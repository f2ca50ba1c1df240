import { Observable } from 'rxjs';
import type { StreamFinding } from './property.ts';

/** Findings of one run that know whether there was anything to judge. */
export class Findings extends Observable<StreamFinding> {
  /** True once something came that the property is about. */
  judged = false;
}
