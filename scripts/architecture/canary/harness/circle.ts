import { egg } from './impure';

export const chicken = egg.name;
