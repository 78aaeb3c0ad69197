import { z } from 'zod';

/** Everything that crosses a boundary (document, plan, event, port) is plain JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const jsonSchema: z.ZodType<Json, Json> = z.json();

/** A JSON Schema document, kept as data; it is never executed. */
export type JsonSchema = JsonObject;

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
