import { materialNote, prompt } from '../support/prompt';

const tagging = [
  'core_functionality: behaviour that must not break. Signals: a deliverable of the task (phase1_deliverable), next to a critical risk (critical_risk_adjacent),',
  'a public interface (public_api), used by other parts (downstream_consumer). Leave out helpers, utilities, refactorings, tests, generated files and files that hold only data.',
  'In doubt the confidence is low.',
].join(' ');

const shared = (tags: boolean): string[] => [
  'The key snippets are authoritative transcriptions of the code: cite signatures from them and from nowhere else.',
  'Do not verify again what is listed under verified references. Cite every page that you verified yourself. Never simulate tool output.',
  tags ? tagging : 'Leave core_functionality empty.',
];

export const thinkSystem = (tags: boolean): string =>
  [
    'You are the architect of a planned change. You do not see the codebase; what exploration recorded is below. Decide:',
    'naming conventions with the file they come from; designs for files that are not obvious; files that are missing and whether they block; the order of dependencies; critical risks with mitigation.',
    ...shared(tags),
    'Look up external documentation only where a decision rests on it. End with your design as prose and no tool call, or with task_complete.',
    materialNote,
  ].join('\n');

export const recordSystem = (tags: boolean): string =>
  [
    'You write down a design as one JSON object. Use only what is below; add no decision that is not in it. Leave a list empty rather than invent an entry.',
    ...shared(tags),
    materialNote,
  ].join('\n');

export const designPrompt = (...parts: readonly string[]): string => prompt(...parts);
