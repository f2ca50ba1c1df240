import { type AgreementRow, agreementTolerance } from '../../scenarios/sunway/fidelity-agreement.ts';
import { columns, percent, signed } from '../columns.ts';

const names: Readonly<Record<AgreementRow['kind'], string>> = {
  get: 'get',
  iput: 'put, to its reply',
  put: 'put, blocking',
  rmaPut: 'RMA put, to its reply',
  rmaArrival: 'RMA put, to its arrival',
  rmaGet: 'RMA get',
  broadcast: 'broadcast, to its arrival',
};

const nameOf = ({ kind, bytes, offset, issuer, partner }: AgreementRow): string => {
  const other = kind.startsWith('rma') || kind === 'broadcast' ? ` and CPE ${partner}` : '';
  return `${names[kind]}: ${bytes} B${offset > 0 ? ` at offset ${offset}` : ''}, CPE ${issuer}${other}`;
};

/** Times of unloaded transfers at both levels for people. */
export function agreementTable(rows: readonly AgreementRow[]): string {
  const lines = columns([
    ['', 'transfer', 'tlm', 'flit', 'difference'],
    ...rows.map((row) => [
      row.holds ? 'holds' : 'MISSED',
      nameOf(row),
      String(row.tlm),
      String(row.flit),
      signed(row.difference),
    ]),
  ]);
  const held = rows.filter(({ holds }) => holds).length;
  const largest = rows.reduce((most, { difference }) => Math.max(most, Math.abs(difference)), 0);
  const closing = `${held} of ${rows.length} transfers differ by at most ${percent(agreementTolerance)}; the largest difference is ${percent(largest)}`;
  return `${[...lines, '', closing].join('\n')}\n`;
}
