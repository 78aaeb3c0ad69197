import { query } from './database';

export interface Account {
  id: number;
  email: string;
  passwordHash: string;
}

export async function byEmail(email: string): Promise<Account | null> {
  const rows = await query<Account>('select * from accounts where email = ?', [email]);
  return rows[0] ?? null;
}

export async function setPassword(id: number, passwordHash: string): Promise<void> {
  await query('update accounts set passwordHash = ? where id = ?', [passwordHash, id]);
}
