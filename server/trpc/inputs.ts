import { z } from 'zod';

/** Ids as callers send them: any text of a sane length; whether one exists is for the service to say. */
export const idInput = z.string().min(1).max(300);
export const byId = z.object({ id: idInput });
export const nameInput = z.string().trim().min(1).max(300);
