import { type ClassValue, clsx } from 'clsx';

/** Joins class names; falsy parts drop out. Later classes do not override earlier ones of the same property, so do not rely on order. */
export const cn = (...parts: ClassValue[]): string => clsx(parts);
