import { asc, eq } from 'drizzle-orm';
import type { Json } from '@/harness/contract/json';
import type { Db, OpenDatabase } from '../open';
import { providers, secrets, settings } from '../schema';

export type ProviderRow = typeof providers.$inferSelect;

/** Settings, providers and sealed secrets. Nothing here can read what the vault has sealed. */
export class SettingsRepository {
  readonly #db: Db;

  constructor(database: OpenDatabase) {
    this.#db = database.db;
  }

  value(key: string): Json | undefined {
    return this.#db.select().from(settings).where(eq(settings.key, key)).get()?.value;
  }

  setValue(key: string, value: Json, at: number): void {
    this.#db
      .insert(settings)
      .values({ key, value, updatedAt: at })
      .onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: at } })
      .run();
  }

  providers(): ProviderRow[] {
    return this.#db.select().from(providers).orderBy(asc(providers.id)).all();
  }

  provider(id: string): ProviderRow | null {
    return this.#db.select().from(providers).where(eq(providers.id, id)).get() ?? null;
  }

  saveProvider(row: ProviderRow): void {
    this.#db.insert(providers).values(row).onConflictDoUpdate({ target: providers.id, set: row }).run();
  }

  removeProvider(id: string): boolean {
    return this.#db.delete(providers).where(eq(providers.id, id)).run().changes > 0;
  }

  secretNames(): { name: string; updatedAt: number }[] {
    return this.#db.select({ name: secrets.name, updatedAt: secrets.updatedAt }).from(secrets).orderBy(asc(secrets.name)).all();
  }

  sealedSecret(name: string): string | null {
    return this.#db.select().from(secrets).where(eq(secrets.name, name)).get()?.sealed ?? null;
  }

  setSealedSecret(name: string, sealed: string, at: number): void {
    this.#db
      .insert(secrets)
      .values({ name, sealed, updatedAt: at })
      .onConflictDoUpdate({ target: secrets.name, set: { sealed, updatedAt: at } })
      .run();
  }

  removeSecret(name: string): boolean {
    return this.#db.delete(secrets).where(eq(secrets.name, name)).run().changes > 0;
  }
}
