// Which rows belong to what: found by a row that each table is known for, never by a list of our own.
import { instrument, type Row } from './instrument';
import { useStore } from './store';

const known = { action: 'key_lever_mm', parts: 'hammer_mass_g', strings: 'a4_hz', sound: 'lid', figures: 'let_off_mm' } as const;
export type Table = keyof typeof known;

export function tableOf(tables: Row[][], which: Table): Row[] {
  return tables.find((rows) => rows.some((row) => row.id === known[which])) ?? [];
}

export function useTable(which: Table): Row[] {
  const tables = useStore(instrument.tables);
  return tables ? tableOf(tables, which) : [];
}

export type Group = 'weights' | 'friction' | 'springs' | 'felt' | 'other';
export function groupOf(row: Row): Group {
  if (row.id.includes('friction')) return 'friction';
  if (row.id.includes('softness')) return 'felt';
  if (row.id.includes('spring')) return 'springs';
  if (row.unit === 'g') return 'weights';
  return 'other';
}
